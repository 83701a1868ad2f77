// Package tagged has a race in a file that a build tag selects.
package tagged
