// Sentences of an answer that the log does not bear: the tokens of each become one, which is underlined and says why.
import { type Token } from 'marked';
import { type ComponentChildren } from 'preact';
import { type TextMark } from '../../src/shared/chat';
import { Hidden } from '../parts/disclosure';
import { Icon } from '../parts/icon';

/** The token, or a copy of it with the marked sentences in it. */
export function withMarks(token: Token, marks: readonly TextMark[]): Token {
  const own = marks.filter(({ quote }) => token.raw.includes(firstLine(quote)));
  if (own.length === 0) return token;
  if (token.type === 'list')
    return { ...token, items: (token['items'] as Token[]).map((item) => withMarks(item, own)) } as Token;
  const inner = tokensOf(token);
  if (token.type === 'list_item' || (token.type === 'text' && inner.some(({ type }) => type === 'paragraph')))
    return { ...token, tokens: inner.map((one) => withMarks(one, own)) } as Token;
  if (!['paragraph', 'heading', 'text'].includes(token.type) || inner.length === 0) return token;
  return { ...token, tokens: own.reduce<Token[]>(markedTokens, inner) } as Token;
}

function tokensOf(token: Token): Token[] {
  return 'tokens' in token ? (token.tokens ?? []) : [];
}

/** Lists indent the lines of a sentence otherwise: each of them is looked for. */
function markedTokens(tokens: Token[], { quote, reason }: TextMark): Token[] {
  const lines = quote.split('\n').map((line) => line.trim());
  return lines.reduce<Token[]>((all, line, at) => markedLine(all, line, reason, at === lines.length - 1), tokens);
}

function markedLine(tokens: Token[], line: string, reason: string, isLast: boolean): Token[] {
  const from = tokens
    .map(({ raw }) => raw)
    .join('')
    .indexOf(line);
  if (from < 0 || line === '') return tokens;
  const to = from + line.length;
  const before: Token[] = [];
  const inside: Token[] = [];
  const after: Token[] = [];
  let at = 0;
  for (const token of tokens) {
    const start = at;
    at += token.raw.length;
    if (at <= from) before.push(token);
    else if (start >= to) after.push(token);
    else if (!isPlain(token)) inside.push(token);
    else {
      const [a, b] = [Math.max(0, from - start), Math.min(token.raw.length, to - start)];
      for (const [list, text] of [
        [before, token.raw.slice(0, a)],
        [inside, token.raw.slice(a, b)],
        [after, token.raw.slice(b)],
      ] as const)
        if (text !== '') list.push({ ...token, raw: text, text } as Token);
    }
  }
  const raw = inside.map((token) => token.raw).join('');
  return [
    ...before,
    { type: 'claim', raw, tokens: inside, reason: isLast ? reason : '' } as unknown as Token,
    ...after,
  ];
}

/** Its text can be cut anywhere. */
function isPlain(token: Token): boolean {
  return token.type === 'text' && tokensOf(token).length === 0 && token.text === token.raw;
}

export function Claim({ reason, children }: { reason: string; children: ComponentChildren }) {
  return (
    <span class="claim" title={reason}>
      {children}
      {reason !== '' && (
        <>
          <Icon name="unverified" class="claim-icon" />
          <Hidden> (Not borne out: {reason})</Hidden>
        </>
      )}
    </span>
  );
}

function firstLine(quote: string): string {
  return (quote.split('\n', 1)[0] ?? '').trim();
}
