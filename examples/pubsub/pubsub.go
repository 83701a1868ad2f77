// Package pubsub delivers published messages to subscribers.
package pubsub

import "sync"

// A Broker knows its subscribers.
type Broker struct {
	mu          sync.Mutex
	subscribers []*Subscriber
}

// A Subscriber collects the messages published while it is open.
type Subscriber struct {
	broker *Broker

	mu       sync.Mutex
	closed   bool
	messages []string
}

// NewBroker returns a broker without subscribers.
func NewBroker() *Broker {
	return new(Broker)
}

// Subscribe adds a subscriber.
func (b *Broker) Subscribe() *Subscriber {
	s := &Subscriber{broker: b}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.subscribers = append(b.subscribers, s)
	return s
}

// Publish delivers a message to every subscriber.
func (b *Broker) Publish(message string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.subscribers {
		s.deliver(message)
	}
}

func (b *Broker) remove(s *Subscriber) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, other := range b.subscribers {
		if other == s {
			b.subscribers = append(b.subscribers[:i], b.subscribers[i+1:]...)
			return
		}
	}
}

func (s *Subscriber) deliver(message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.messages = append(s.messages, message)
	}
}

// Close ends the subscription.
func (s *Subscriber) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	// BUG: locks the subscriber, then the broker, and Publish locks the broker,
	// then the subscriber: each can hold what the other waits for.
	s.broker.remove(s)
}

// Messages returns what has been delivered.
func (s *Subscriber) Messages() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.messages
}
