// Footnotes: a raised number that leads to its note, and back. A mark without a note is text: "[^1]" may be code of some language.
import { type ReadonlySignal, signal } from '@preact/signals';
import { type Token } from 'marked';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useLayoutEffect, useMemo } from 'preact/hooks';
import { TextLink } from '../parts/file-link';
import { type ParsedBlocks } from './block-parser';
import { type FootnoteMarkToken, type FootnoteToken } from './footnote-syntax';

/** What the notes of a text are called in it, by their names. */
type Notes = ReadonlyMap<string, string>;

export const FootnotesOfText = createContext<ReadonlySignal<Notes>>(signal(new Map()));

/** For the marks in blocks that were drawn before their notes came. */
export function useNotes({ closed, open }: ParsedBlocks): ReadonlySignal<Notes> {
  const notes = useMemo(() => signal<Notes>(new Map()), []);
  const present = notesIn([...closed, ...open]);
  useLayoutEffect(() => {
    if (`${[...present]}` !== `${[...notes.peek()]}`) notes.value = present;
  });
  return notes;
}

/** Its own number, or its place among the others where one of them has a word for a name. */
function notesIn(tokens: readonly Token[]): Notes {
  const names = [...new Set(tokens.flatMap((token) => (token.type === 'footnote' ? nameOf(token) : [])))];
  const areNumbers = names.every((name) => /^\d{1,3}$/.test(name));
  return new Map(names.map((name, index) => [name, areNumbers ? name : `${index + 1}`]));
}

const nameOf = (token: Token): string => (token as FootnoteToken).name;

export function FootnoteMark({ token: { name, raw } }: { token: FootnoteMarkToken }) {
  const label = useContext(FootnotesOfText).value.get(name);
  if (label === undefined) return <>{raw}</>;
  return (
    <sup class="citation" data-footnote-mark={name}>
      <FootnoteLink to="note" name={name} title={`Footnote ${label}`}>
        {label}
      </FootnoteLink>
    </sup>
  );
}

export function Footnote({ token: { name }, children }: { token: FootnoteToken; children: ComponentChildren }) {
  const label = useContext(FootnotesOfText).value.get(name) ?? name;
  return (
    <p class="footnote" dir="auto" data-footnote-note={name}>
      <FootnoteLink to="mark" name={name} title={`Back to the text of footnote ${label}`}>
        {label}.
      </FootnoteLink>{' '}
      {children}
    </p>
  );
}

interface FootnoteLinkProps {
  to: 'note' | 'mark';
  name: string;
  title: string;
  children: ComponentChildren;
}

function FootnoteLink({ to, name, title, children }: FootnoteLinkProps) {
  const open = (): void => {
    const text = document.activeElement?.closest('.markdown');
    const target = text?.querySelector<HTMLElement>(`[data-footnote-${to}="${CSS.escape(name)}"] .link`);
    target?.focus({ preventScroll: true });
    target?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <TextLink title={title} label={title} onOpen={open}>
      {children}
    </TextLink>
  );
}
