"use strict";
// A lesson: its steps with their moments, and each question with its answer behind a click.

class LessonPanel {
  constructor(lesson, panel, show) {
    Object.assign(this, { lesson, panel, show, place: 0 });
  }

  /** Say the lesson in a language. */
  speak(language) {
    this.words = this.lesson.told[language];
    if (this.panel.firstChild) this.draw();
  }

  go(place) {
    this.place = Math.min(Math.max(place, 0), this.lesson.steps.length - 1);
    this.draw();
    this.show(this.lesson.steps[this.place]);
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

  question(step) {
    const details = element("details"), summary = element("summary", step.question);
    details.append(summary, element("p", step.answer, { class: "answer" }), ...blocksOf(step.explain));
    return details;
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
