// One block of Markdown as elements, each in the direction of its own text. Headings start below the conversation's own.
import { type Token, type Tokens } from 'marked';
import { type VNode } from 'preact';
import { CodeBlock } from './code-block';
import { Diagram } from './diagram';
import { decodeEntities } from './entities';
import { type FootnoteToken } from './footnote-syntax';
import { Footnote } from './footnotes';
import { Heading } from './heading';
import { inlineNodes } from './inline-nodes';
import { Formula } from './math';
import { type MathToken } from './math-syntax';

/** `open` says that the text may still grow here. */
export function blockNode(token: Token, key: number, open: boolean): VNode {
  switch (token.type) {
    case 'heading':
      return <Heading key={key} token={token as Tokens.Heading} />;
    case 'paragraph':
      return (
        <p key={key} dir="auto">
          {inlineNodes(token.tokens)}
        </p>
      );
    case 'code':
      if (!open && /^mermaid\b/i.test((token as Tokens.Code).lang ?? ''))
        return <Diagram key={key} source={(token as Tokens.Code).text} info={(token as Tokens.Code).lang ?? ''} />;
      return (
        <CodeBlock key={key} code={(token as Tokens.Code).text} info={(token as Tokens.Code).lang ?? ''} open={open} />
      );
    case 'blockquote':
      return <blockquote key={key}>{blockNodes(token.tokens, open)}</blockquote>;
    case 'list':
      return <List key={key} token={token as Tokens.List} open={open} />;
    case 'table':
      return <Table key={key} token={token as Tokens.Table} />;
    case 'math':
      return <Formula key={key} token={token as unknown as MathToken} />;
    case 'footnote':
      return (
        <Footnote key={key} token={token as unknown as FootnoteToken}>
          {inlineNodes(token.tokens)}
        </Footnote>
      );
    case 'hr':
      return <hr key={key} />;
    case 'html':
      return (
        <p key={key} dir="auto" class="raw">
          {(token as Tokens.HTML).raw.trimEnd()}
        </p>
      );
    case 'text':
      return (
        <p key={key} dir="auto">
          {token.tokens ? inlineNodes(token.tokens) : decodeEntities((token as Tokens.Text).text)}
        </p>
      );
    default:
      // Blank lines and link definitions show nothing, but keep the keys of what follows.
      return <span key={key} hidden />;
  }
}

function blockNodes(tokens: readonly Token[] | undefined, open: boolean): VNode[] {
  return (tokens ?? []).map((token, index, all) => blockNode(token, index, open && index === all.length - 1));
}

function List({ token, open }: { token: Tokens.List; open: boolean }) {
  const items = token.items.map((item, index) => (
    <li key={index} class={item.task ? 'task' : undefined}>
      {item.task && (
        <input type="checkbox" checked={item.checked ?? false} disabled aria-label={item.checked ? 'Done' : 'To do'} />
      )}
      {itemNodes(item, open && index === token.items.length - 1)}
    </li>
  ));
  if (!token.ordered) return <ul dir="auto">{items}</ul>;
  return (
    <ol dir="auto" start={token.start === '' ? 1 : token.start}>
      {items}
    </ol>
  );
}

/** In a tight list the text is in the item itself. */
function itemNodes(item: Tokens.ListItem, open: boolean) {
  return item.tokens.map((token, index) => {
    if (token.type === 'checkbox') return null;
    if (token.type === 'text' && !item.loose)
      return token.tokens ? inlineNodes(token.tokens) : decodeEntities((token as Tokens.Text).text);
    return blockNode(token, index, open && index === item.tokens.length - 1);
  });
}

function Table({ token }: { token: Tokens.Table }) {
  const align = (index: number) => {
    const side = token.align[index];
    return side ? `align-${side}` : undefined;
  };
  return (
    <div class="table-scroll" tabIndex={0} role="group" aria-label="Table">
      <table dir="auto">
        <thead>
          <tr>
            {token.header.map((cell, index) => (
              <th key={index} scope="col" class={align(index)}>
                {inlineNodes(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, index) => (
                <td key={index} class={align(index)}>
                  {inlineNodes(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
