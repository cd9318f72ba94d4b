"use strict";
// A lesson: its steps with their moments, and each question with what it hides until it is answered.

class LessonPanel {
  constructor(lesson, panel, show) {
    Object.assign(this, { lesson, panel, show, place: 0, given: new Map(), hints: 0 });
  }

  /** Say the lesson in a language. */
  speak(language) {
    this.words = this.lesson.told[language];
    if (this.panel.firstChild) this.draw();
  }

  go(place) {
    this.place = Math.min(Math.max(place, 0), this.lesson.steps.length - 1);
    this.hints = 0;
    this.draw();
    this.showMoment();
  }

  get step() {
    return this.lesson.steps[this.place];
  }

  /** The question of the step, while it waits for its answer. */
  get asked() {
    return this.given.has(this.place) ? null : this.step.asked || null;
  }

  /** Whether a question hides a part of the page. */
  hides(part) {
    return this.asked !== null && this.asked.hidden.includes(part);
  }

  showMoment() {
    this.show({ ...this.step, ...(this.asked || {}) });
  }

  draw() {
    const { words, panel, place } = this, step = words.steps[place], parts = [];
    if (place === 0) {
      parts.push(element("h1", words.title));
      if (words.source) parts.push(element("p", words.source, { class: "muted" }));
    }
    parts.push(...blocksOf(step.text));
    if (step.question) parts.push(this.question(step));
    panel.replaceChildren(...parts, this.buttons());
    panel.scrollTop = 0;
  }

  /** The question with its answer and what explains it, or with a field for an answer. */
  question(step) {
    const box = element("section", "", { class: "question" }), given = this.given.get(this.place);
    box.append(element("p", step.question, { class: "asked" }));
    if (given === undefined) box.append(...this.form(step));
    else {
      box.append(element("p", say(given.said, { answer: step.answer }), { class: "answer" }), ...blocksOf(step.explain));
      box.append(this.button("askAgain", () => this.close(null)));
    }
    return box;
  }

  form(step) {
    const { classes } = this.asked, field = element("input", "", { "aria-label": say("yourAnswer"), placeholder: say(classes.length ? "aLetter" : "aNumber") });
    const hints = step.hints.slice(0, this.hints).map((hint) => element("p", hint, { class: "muted" })), row = element("div", "", { class: "row" });
    const verdict = element("p", "", { class: "verdict", "aria-live": "polite" }), check = () => (verdict.textContent = this.check(field.value));
    field.addEventListener("keydown", (event) => event.key === "Enter" && check());
    const help = this.hints < step.hints.length ? this.button("hint", () => this.hint()) : this.button("showAnswer", () => this.close({ said: "itIs" }));
    row.append(field, this.button("check", check), help);
    return [row, ...hints, verdict];
  }

  button(word, press) {
    const button = element("button", say(word), { "data-does": word });
    button.addEventListener("click", press);
    return button;
  }

  hint() {
    this.hints++;
    const { value } = this.panel.querySelector("input");
    this.draw();
    this.panel.querySelector("input").value = value;
    this.lookAt(".row button:last-child");
  }

  /** Bring the question into view, and the keys to a part of the panel. */
  lookAt(part) {
    this.panel.querySelector(".question").scrollIntoView({ block: "nearest" });
    this.panel.querySelector(part).focus({ preventScroll: true });
  }

  /** What is said of an answer that does not close the question. */
  check(typed) {
    const { value, within, classes, guess } = this.asked, given = numberIn(typed, classes);
    if (Number.isNaN(given)) return say(classes.length ? "noLetter" : "noNumber");
    const classOf = (number) => classes.filter((bound) => bound <= number).length;
    const right = classes.length ? classOf(given) === classOf(value) : Math.abs(given - value) <= within + 1e-9;
    if (!right && !guess) return `${say("wrong")} ${say("tryAgain")}`;
    this.close({ said: right ? (Math.abs(given - value) < 1e-9 ? "right" : "rightIs") : "wrongIs" });
    return "";
  }

  /** Close the question and show what it hid, or open it again. */
  close(given) {
    if (given) this.given.set(this.place, given);
    else this.given.delete(this.place);
    this.hints = 0;
    this.draw();
    this.showMoment();
    this.lookAt(given ? "[data-does=askAgain]" : "input");
  }

  buttons() {
    const row = element("div", "", { class: "steps" });
    const [back, next] = [[-1, "stepBack"], [1, "stepNext"]].map(([by, word]) => {
      const button = element("button", say(word));
      button.addEventListener("click", () => this.go(this.place + by));
      return button;
    });
    back.disabled = this.place === 0;
    next.disabled = this.place === this.lesson.steps.length - 1;
    row.append(back, element("span", `${this.place + 1} / ${this.lesson.steps.length}`), next);
    return row;
  }
}

/** The number that was typed, with a comma or a percent sign, or one in the class of a letter; NaN if there is none. */
function numberIn(typed, classes) {
  const text = typed.trim(), letter = classes.length ? "ABCDEFGH".slice(0, classes.length + 1).indexOf(text.toUpperCase()) : -1;
  if (text.length === 1 && letter >= 0) return letter ? classes[letter - 1] : classes[0] / 2;
  return /\d/.test(text) ? Number(text.replace(/\s*%$/, "").replace(",", ".")) : NaN;
}

/** Markdown as elements: headings, paragraphs, lists, tables as text, code. All else is text. */
function blocksOf(text) {
  const blocks = [], lines = text.split("\n");
  for (let at = 0; at < lines.length; ) {
    if (/^ {0,3}(```|~~~)/.test(lines[at])) {
      const end = lines.findIndex((line, place) => place > at && /^ {0,3}(```|~~~)\s*$/.test(line)), stop = end < 0 ? lines.length : end;
      blocks.push(element("pre", lines.slice(at + 1, stop).join("\n")));
      at = stop + 1;
    } else if (/^#{1,6} /.test(lines[at])) blocks.push(withInline(element("h3"), lines[at++].replace(/^#+ /, "")));
    else if (/^\s*([-*]|\d+\.) /.test(lines[at])) {
      const list = element(/^\s*\d/.test(lines[at]) ? "ol" : "ul");
      while (at < lines.length && lines[at].trim()) {
        if (/^\s*([-*]|\d+\.) /.test(lines[at])) list.append(withInline(element("li"), lines[at].replace(/^\s*([-*]|\d+\.) /, "")));
        else withInline(list.lastChild, ` ${lines[at].trim()}`);
        at++;
      }
      blocks.push(list);
    } else if (lines[at].startsWith("|")) {
      const end = lines.findIndex((line, place) => place > at && !line.startsWith("|")), stop = end < 0 ? lines.length : end;
      blocks.push(tableBlock(lines.slice(at, stop)));
      at = stop;
    } else if (lines[at].trim()) {
      const begin = at;
      while (at < lines.length && lines[at].trim() && !/^(#{1,6} |\s*([-*]|\d+\.) |\||```|~~~)/.test(at === begin ? "" : lines[at])) at++;
      blocks.push(withInline(element("p"), lines.slice(begin, at).join(" ")));
    } else at++;
  }
  return blocks;
}

function tableBlock(lines) {
  const table = element("table"), cells = (line) => line.replace(/^\||\|\s*$/g, "").split("|").map((cell) => cell.trim());
  lines.filter((line) => !/^[|\s:-]+$/.test(line)).forEach((line, number) => {
    const row = element("tr");
    for (const cell of cells(line)) row.append(withInline(element(number ? "td" : "th"), cell));
    table.append(row);
  });
  return table;
}

/** Text with its code, strong words, and words with stress; links and pictures are their words alone. */
function withInline(parent, text) {
  const kinds = [[/`([^`]+)`/, "code"], [/\*\*([^*]+)\*\*/, "strong"], [/\*([^*\s][^*]*)\*/, "em"], [/!?\[([^\]]*)\]\([^)]*\)/, "span"]];
  let rest = text;
  while (rest) {
    const found = kinds.map(([pattern, name]) => ({ match: pattern.exec(rest), name })).filter(({ match }) => match);
    if (!found.length) break;
    const { match, name } = found.reduce((a, b) => (b.match.index < a.match.index ? b : a));
    parent.append(rest.slice(0, match.index), element(name, match[1]));
    rest = rest.slice(match.index + match[0].length);
  }
  parent.append(rest);
  return parent;
}
