// Turns a page of HTML into Markdown: what a reader sees, with whole addresses in its links.
import TurndownService from 'turndown';
import { isWebAddress } from '../../shared/web-address';

/** What is used of the elements that the parser makes. */
interface PageElement {
  nodeName: string;
  parentNode: PageElement | null;
  children: ArrayLike<PageElement>;
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
  querySelector(selector: string): PageElement | null;
}

/** Names of elements that show no text, or only text that belongs to a form. */
const unseen = new Set(
  'SCRIPT STYLE NOSCRIPT TEMPLATE SVG IFRAME OBJECT CANVAS HEAD TITLE DIALOG BUTTON TEXTAREA SELECT'.split(' '),
);

/** Takes very long for some pages, and throws for those nested too deep: it runs in a thread of its own. */
export function htmlToMarkdown(html: string, url: string): string {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
  });
  // A model reads `some_name` better than `some\_name`.
  service.escape = (text) => text;
  service.addRule('link', {
    filter: 'a',
    replacement: (content, node: PageElement) => link(content, absolute(node.getAttribute('href'), url)),
  });
  service.addRule('image', { filter: 'img', replacement: (_content, node: PageElement) => image(node, url) });
  service.addRule('table', { filter: 'table', replacement: (content) => `\n\n${content.trim()}\n\n` });
  service.addRule('table part', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content });
  service.addRule('table row', {
    filter: 'tr',
    replacement: (content, node: PageElement) =>
      `|${content}\n${isFirstRow(node) ? `|${' --- |'.repeat(node.children.length)}\n` : ''}`,
  });
  service.addRule('table cell', {
    filter: ['th', 'td'],
    replacement: (content) => ` ${oneLine(content).replaceAll('|', '\\|')} |`,
  });
  // Added last, so that it is asked first.
  service.addRule('unseen', {
    filter: (node: PageElement) => unseen.has(node.nodeName.toUpperCase()) || node.hasAttribute('hidden'),
    replacement: () => '',
  });

  const title = oneLine(/<title[^>]*>([^<]{1,300})/i.exec(html)?.[1] ?? '');
  const text = service.turndown(html).trim();
  return title === '' ? text : `Title: ${title}\n\n${text}`;
}

/** Anchors without a target, scripts and links within the page are text. */
function link(content: string, target: string | undefined): string {
  const text = oneLine(content);
  return text === '' || target === undefined ? content : `[${text}](${target})`;
}

function image(node: PageElement, url: string): string {
  const alt = oneLine(node.getAttribute('alt') ?? '');
  const source = absolute(node.getAttribute('src'), url);
  return alt === '' || source === undefined ? alt : `![${alt}](${source})`;
}

function absolute(target: string | null, url: string): string | undefined {
  if (target === null || target.startsWith('#') || !URL.canParse(target, url)) return undefined;
  const { href } = new URL(target, url);
  return isWebAddress(href) ? href.replaceAll('(', '%28').replaceAll(')', '%29') : undefined;
}

function isFirstRow(row: PageElement): boolean {
  let table = row.parentNode;
  while (table !== null && table.nodeName !== 'TABLE') table = table.parentNode;
  return table?.querySelector('tr') === row;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
