// Inline Markdown as elements: emphasis, code, links to files and to the web.
import { type Token, type Tokens } from 'marked';
import { type ComponentChildren } from 'preact';
import { CitationLink, FileLink, WebLink } from '../parts/file-link';
import { Claim } from './claims';
import { decodeEntities } from './entities';
import { fileLinkOfCode, fileLinkOfTarget } from '../parts/link-target';
import { type FootnoteMarkToken } from './footnote-syntax';
import { FootnoteMark } from './footnotes';
import { AnswerImage } from './local-picture';
import { Formula } from './math';
import { type MathToken } from './math-syntax';
import { plainText } from './plain-text';
import { otherAddress } from './shown-address';

export function inlineNodes(tokens: readonly Token[] | undefined): ComponentChildren[] {
  return (tokens ?? []).map((token, index) => inlineNode(token, index));
}

function inlineNode(token: Token, key: number): ComponentChildren {
  switch (token.type) {
    case 'strong':
      return <strong key={key}>{inlineNodes(token.tokens)}</strong>;
    case 'em':
      return <em key={key}>{inlineNodes(token.tokens)}</em>;
    case 'del':
      return <del key={key}>{inlineNodes(token.tokens)}</del>;
    case 'br':
      return <br key={key} />;
    case 'codespan': {
      const text = (token as Tokens.Codespan).text;
      const link = fileLinkOfCode(text);
      const code = <code key={key}>{text}</code>;
      return link ? (
        <FileLink key={key} path={link.path} line={link.line}>
          {code}
        </FileLink>
      ) : (
        code
      );
    }
    case 'claim':
      return (
        <Claim key={key} reason={String((token as Tokens.Generic)['reason'])}>
          {inlineNodes(token.tokens)}
        </Claim>
      );
    case 'link':
      return linkNode(token as Tokens.Link, key);
    case 'image':
      return <AnswerImage key={key} target={(token as Tokens.Image).href} words={(token as Tokens.Image).text} />;
    case 'math':
      return <Formula key={key} token={token as unknown as MathToken} />;
    case 'footnoteMark':
      return <FootnoteMark key={key} token={token as unknown as FootnoteMarkToken} />;
    case 'text':
      return token.tokens ? inlineNodes(token.tokens) : decodeEntities((token as Tokens.Text).text);
    case 'html':
      return /^<br\s*\/?>$/i.test(token.raw) ? <br key={key} /> : token.raw;
    default:
      return 'text' in token ? String(token['text']) : token.raw;
  }
}

function linkNode(token: Tokens.Link, key: number): ComponentChildren {
  const source = sourceOf(token);
  const other = source === undefined ? otherAddress(token.tokens.map(plainText).join(''), token.href) : undefined;
  const text = [inlineNodes(token.tokens), other !== undefined && <span class="quiet"> ({other})</span>];
  if (source !== undefined)
    return (
      <CitationLink key={key} source={source} url={token.href}>
        {text}
      </CitationLink>
    );
  const file = fileLinkOfTarget(token.href);
  if (file)
    return (
      <FileLink key={key} path={file.path} line={file.line}>
        {text}
      </FileLink>
    );
  return (
    <WebLink key={key} url={token.href}>
      {text}
    </WebLink>
  );
}

/** What a text rests on: a number, with the source in the link's title. */
function sourceOf({ title, text }: Tokens.Link): string | undefined {
  return /^\d{1,3}$/.test(text) && title?.startsWith(`Source ${text}: `) === true ? title : undefined;
}
