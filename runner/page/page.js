"use strict";
(() => {
	const all = (sel, from = document) => Array.from(from.querySelectorAll(sel));
	const sources = JSON.parse(document.getElementById("sources").textContent);
	const svgNS = "http://www.w3.org/2000/svg";
	const causes = ["value", "message", "lock", "start", "wake"];
	const findings = all(".finding");
	let current = null; // the selected step's row

	document.getElementById("filters").hidden = false;
	document.getElementById("keys").hidden = false;

	// --- folding: the middle of long runs of one goroutine becomes one row that opens
	for (const body of all(".diagram tbody")) {
		let run = [];
		const close = () => {
			if (run.length === 0) return;
			const rows = run;
			run = [];
			const row = document.createElement("tr");
			row.className = "fold";
			const cell = row.insertCell();
			cell.colSpan = rows[0].cells.length;
			const button = document.createElement("button");
			button.type = "button";
			button.textContent = `${rows.length} more steps`;
			button.addEventListener("click", () => { unfold(rows, row); draw(body.closest(".diagram")); });
			cell.append(button);
			rows[0].before(row);
			for (const r of rows) { r.hidden = true; r.foldRow = row; r.foldRows = rows; }
		};
		for (const row of all("tr.step", body)) {
			if (row.classList.contains("folded")) run.push(row); else close();
		}
		close();
	}

	function unfold(rows, row) {
		for (const r of rows) { r.hidden = false; r.foldRow = null; }
		row.remove();
	}

	// --- arrows
	function draw(diagram) {
		const svg = diagram.querySelector("svg");
		svg.replaceChildren();
		const table = diagram.querySelector("table");
		svg.setAttribute("width", table.offsetWidth);
		svg.setAttribute("height", table.offsetHeight);
		const origin = diagram.getBoundingClientRect();
		const id = diagram.closest(".finding").id;
		const defs = document.createElementNS(svgNS, "defs");
		for (const c of causes) {
			const m = document.createElementNS(svgNS, "marker");
			for (const [k, v] of Object.entries({ id: `${id}-${c}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, markerUnits: "userSpaceOnUse", orient: "auto" })) m.setAttribute(k, v);
			const p = document.createElementNS(svgNS, "path");
			p.setAttribute("d", "M0,0 L8,4 L0,8 z");
			p.setAttribute("class", c);
			m.append(p);
			defs.append(m);
		}
		svg.append(defs);
		for (const a of JSON.parse(diagram.querySelector(".arrows").textContent) || []) {
			const from = cellOf(id, a.from), to = cellOf(id, a.to);
			if (!from || !to) continue;
			const f = from.getBoundingClientRect(), t = to.getBoundingClientRect();
			const right = t.left > f.left;
			const x1 = (right ? f.right : f.left) - origin.left + diagram.scrollLeft, y1 = f.top + f.height / 2 - origin.top;
			const x2 = (right ? t.left : t.right) - origin.left + diagram.scrollLeft, y2 = t.top + Math.min(t.height / 2, 14) - origin.top;
			const bend = (right ? 1 : -1) * Math.max(30, Math.abs(x2 - x1) / 2);
			const p = document.createElementNS(svgNS, "path");
			p.setAttribute("d", `M${x1},${y1} C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`);
			p.setAttribute("class", a.cause);
			p.setAttribute("marker-end", `url(#${id}-${a.cause})`);
			p.dataset.from = a.from;
			p.dataset.to = a.to;
			svg.append(p);
		}
		heat(diagram);
	}

	function cellOf(id, n) {
		const row = document.getElementById(`${id}-s${n}`);
		return row && !row.hidden && row.querySelector(".cell");
	}

	// heat makes the arrows of the selected step stand out.
	function heat(diagram) {
		const n = current && diagram.contains(current) ? current.dataset.n : "";
		for (const p of all("svg > path", diagram)) p.classList.toggle("hot", n !== "" && (p.dataset.from === n || p.dataset.to === n));
	}

	// --- stepping
	function select(row, focus) {
		if (row.foldRow) { const d = row.closest(".diagram"); unfold(row.foldRows, row.foldRow); draw(d); }
		if (current) {
			current.classList.remove("current");
			current.removeAttribute("aria-current");
			const before = current.closest(".diagram");
			current = row;
			if (before !== row.closest(".diagram")) heat(before);
		}
		current = row;
		row.classList.add("current");
		row.setAttribute("aria-current", "step");
		showSource(row);
		if (focus) row.focus({ preventScroll: true });
		row.scrollIntoView({ block: "nearest" }); // the source may have come to lie over it
		heat(row.closest(".diagram"));
	}

	function showSource(row) {
		const witness = row.closest(".witness"), aside = witness.querySelector(".source");
		const file = sources[row.dataset.file];
		if (!witness.classList.contains("open")) {
			witness.classList.add("open");
			aside.hidden = false;
			draw(witness.querySelector(".diagram")); // the table is narrower now
		}
		const pre = aside.querySelector("pre");
		pre.replaceChildren();
		if (!file) {
			aside.querySelector(".file").textContent = row.dataset.file ? "no source at hand" : "the clock has no source";
			return;
		}
		const line = Number(row.dataset.line);
		aside.querySelector(".file").textContent = `${file.name}:${line}`;
		let hit = null;
		file.lines.forEach((text, i) => {
			const span = document.createElement("span"), num = document.createElement("b");
			num.textContent = file.first + i;
			span.append(num, text);
			if (file.first + i === line) { span.className = "hit"; hit = span; }
			pre.append(span);
		});
		if (hit) pre.scrollTop = hit.offsetTop - pre.offsetTop - pre.clientHeight / 2;
	}

	const shownFindings = () => findings.filter((f) => !f.hidden);

	function step(by) {
		const home = current ? current.closest(".finding") : shownFindings()[0];
		if (!home) return;
		const rows = all("tr.step", home);
		if (rows.length === 0) return;
		const i = current ? rows.indexOf(current) + by : 0;
		select(rows[Math.min(Math.max(i, 0), rows.length - 1)], true);
	}

	function go(by) {
		const list = shownFindings();
		if (list.length === 0) return;
		const home = document.activeElement.closest(".finding") || (current && current.closest(".finding"));
		const i = list.indexOf(home);
		const next = list[i < 0 ? 0 : Math.min(Math.max(i + by, 0), list.length - 1)];
		next.querySelector("h3").focus();
		next.scrollIntoView({ block: "start" });
		const first = next.querySelector("tr.step");
		if (first) select(first, false);
	}

	for (const row of all("tr.step")) row.addEventListener("click", () => select(row, false));
	for (const f of findings) {
		const home = f;
		const from = (by) => () => { if (!current || !home.contains(current)) { const r = home.querySelector("tr.step"); if (r) select(r, true); } else step(by); };
		const prev = f.querySelector(".prev"), next = f.querySelector(".next");
		if (prev) { prev.addEventListener("click", from(-1)); next.addEventListener("click", from(1)); }
		const copy = f.querySelector(".copy");
		if (copy && navigator.clipboard) {
			copy.hidden = false;
			copy.addEventListener("click", async () => {
				await navigator.clipboard.writeText(f.querySelector(".token input").value);
				copy.textContent = "Copied";
			});
		}
	}

	document.addEventListener("keydown", (e) => {
		if (e.ctrlKey || e.metaKey || e.altKey) return;
		if (e.target.matches("input:not([readonly]), textarea")) {
			if (e.key === "Escape") e.target.blur();
			return;
		}
		const inTable = e.target.closest && e.target.closest("tr.step");
		switch (e.key) {
		case "j": step(1); break;
		case "k": step(-1); break;
		case "ArrowDown": if (!inTable) return; step(1); break;
		case "ArrowUp": if (!inTable) return; step(-1); break;
		case "n": go(1); break;
		case "p": go(-1); break;
		case "/": document.getElementById("filter").focus(); break;
		default: return;
		}
		e.preventDefault();
	});

	// --- filters
	function filter() {
		const words = document.getElementById("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
		const checks = new Set(all('input[name="check"]:checked').map((c) => c.value));
		for (const f of findings) {
			const text = `${f.querySelector("h3").textContent} ${f.querySelector(".where").textContent}`.toLowerCase();
			f.hidden = !checks.has(f.dataset.check) || !words.every((w) => text.includes(w));
		}
		document.getElementById("shown").textContent = `${shownFindings().length} of ${findings.length} shown`;
		for (const f of shownFindings()) all(".diagram", f).forEach(draw);
	}
	document.getElementById("filters").addEventListener("submit", (e) => e.preventDefault());
	document.getElementById("filter").addEventListener("input", filter);
	for (const c of all('input[name="check"]')) c.addEventListener("change", filter);

	document.getElementById("theme").addEventListener("click", () => {
		const root = document.documentElement;
		const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
		root.dataset.theme = dark ? "light" : "dark";
	});

	filter();
	addEventListener("resize", () => {
		all(".diagram").forEach(draw);
		if (!current) return;
		showSource(current);
		current.scrollIntoView({ block: "nearest" });
	});
})();
