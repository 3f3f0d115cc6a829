// Footnotes of Markdown: `[^name]` in the text, and `[^name]: …` where it is explained.
import { type Token } from 'marked';
import { type Extension, startInParagraph } from './syntax-extension';

export interface FootnoteToken {
  type: 'footnote';
  raw: string;
  name: string;
  tokens: Token[];
}

export interface FootnoteMarkToken {
  type: 'footnoteMark';
  raw: string;
  name: string;
}

const name = String.raw`\[\^([^\]\s]{1,60})\]`;
/** Its text goes to the end of its paragraph, or to the next footnote. */
const definition = new RegExp(
  String.raw`^ {0,3}${name}:[ \t]*((?:.+)(?:\n(?![ \t]*\n| {0,3}\[\^[^\]\s]+\]:).+)*)(?:\n|$)`,
);
const definitionStart = new RegExp(String.raw`(?<=\n) {0,3}${name}:`);
const mark = new RegExp(`^${name}(?!:)`);

export const footnoteDefinition: Extension = {
  level: 'block',
  start: startInParagraph(definitionStart),
  read: (text, _before, inline) => {
    const found = definition.exec(text);
    if (found === null) return undefined;
    const [raw, noteName = '', note = ''] = found;
    return { type: 'footnote', raw, name: noteName, tokens: inline(note.replace(/\n[ \t]+/g, '\n')) };
  },
};

export const footnoteMark: Extension = {
  level: 'inline',
  read: (text) => {
    const found = mark.exec(text);
    return found === null ? undefined : { type: 'footnoteMark', raw: found[0], name: found[1] ?? '' };
  },
};
