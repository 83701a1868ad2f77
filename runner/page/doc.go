// Package page writes the HTML report: one file that needs no network. It has the findings, each as a space–time
// diagram beside its source, and what was explored of every entry.
//
// The page is complete without its script: every step, note and arrow is in the document as text, and screen readers
// get a table with a column for each goroutine. The script (page.js) draws the arrows, steps with keys, filters, and
// shows the source of the step that is selected.
//
// The page holds source code of the analysed packages. It is written to a folder of the user's choice and to nowhere
// else.
package page
