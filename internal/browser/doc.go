// Package browser tests the HTML report in a headless Chromium: that it opens, steps with keys, filters, fits narrow
// screens, and shows what `heddle replay` prints. Its test makes the screenshots of docs/.
package browser
