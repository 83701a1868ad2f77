// Package browser tests the HTML report in a headless Chromium: that it opens, steps with keys, filters, fits narrow screens, and
// shows what `heddle replay` prints. The screenshots of docs/ are made by its test.
package browser
