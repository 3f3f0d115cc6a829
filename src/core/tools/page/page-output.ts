// What a call of Page found, as data, as the text that the model reads, and as what the chat shows.
import { z } from 'zod/v3';
import { headOf } from '../../../shared/cut-text';
import { type ToolView } from '../../../shared/tool-view';
import { type PageEvent } from '../../ports/pages';
import { fenced } from '../../../shared/plain-markdown';
import { markdownLink } from '../../text/web-address';
import { type ToolResultBlock } from '../../wire/wire';
import { counted } from '../../../shared/counted';
import { cutLines } from './tree-text';

const eventSchema = z.object({
  kind: z.enum(['error', 'warning', 'log', 'request', 'stopped', 'dialog', 'tab', 'file', 'crash']),
  text: z.string(),
  count: z.number(),
});

export const pageOutputSchema = z.object({
  action: z.enum(['open', 'snapshot', 'click', 'type', 'press', 'screenshot', 'console', 'close']),
  address: z.string(),
  title: z.string(),
  /** What the server answered to `open`. */
  status: z.number().optional(),
  /** What was acted on. */
  element: z.string().optional(),
  /** The tree, a part of it, or what changed in it. */
  shown: z.string(),
  /** What `shown` is, where that is not the tree of the whole page. */
  about: z.string().optional(),
  /** Lines of it that are left out. */
  left: z.number(),
  events: z.array(eventSchema),
  /** Events that are not in the list. */
  more: z.number(),
  pending: z.number(),
  picture: z
    .object({
      data: z.string(),
      mediaType: z.literal('image/jpeg'),
      width: z.number(),
      height: z.number(),
      below: z.number(),
    })
    .optional(),
});
export type PageOutput = z.infer<typeof pageOutputSchema>;

export const maxTreeBytes = 3_000;
export const maxChangeBytes = 1_500;
const maxEvents = 12;
const maxHistoryBytes = 3_000;
const maxEventChars = 300;

/** What matters most comes first where not all of them are shown. */
const weights: Readonly<Record<PageEvent['kind'], number>> = {
  crash: 0,
  stopped: 1,
  error: 2,
  request: 3,
  dialog: 4,
  tab: 4,
  file: 4,
  warning: 5,
  log: 6,
};

/** In the order of events; of too many the weightiest. */
export function shownEvents(events: readonly PageEvent[], dropped: number): Pick<PageOutput, 'events' | 'more'> {
  const kept = new Set([...events].sort((one, other) => weights[one.kind] - weights[other.kind]).slice(0, maxEvents));
  return {
    events: events
      .filter((event) => kept.has(event))
      .map((event) => ({ ...event, text: headOf(event.text, maxEventChars) })),
    more: events.length - kept.size + dropped,
  };
}

const names: Readonly<Record<PageEvent['kind'], string>> = {
  error: 'error',
  warning: 'warning',
  log: 'log',
  request: 'request',
  stopped: 'stopped',
  dialog: 'dialog',
  tab: 'new tab',
  file: 'file',
  crash: 'crash',
};

function eventLine({ kind, text, count }: PageEvent): string {
  return `${names[kind]}: ${text.replace(/\s*\n\s*/g, ' ')}${count > 1 ? ` (${count} times)` : ''}`;
}

/** All that is kept of what the page said, the latest last. */
export function historyText(events: readonly PageEvent[]): { text: string; left: number } {
  const latest = cutLines([...events].reverse().map(eventLine).join('\n'), maxHistoryBytes);
  return { text: latest.text.split('\n').reverse().join('\n'), left: latest.left };
}

export function eventLines(events: readonly PageEvent[]): string {
  return events.map(eventLine).join('\n');
}

export function pageContent(output: PageOutput): ToolResultBlock['content'] {
  const text = pageText(output);
  const { picture } = output;
  return picture === undefined
    ? text
    : [
        { type: 'image', source: { type: 'base64', media_type: picture.mediaType, data: picture.data } },
        { type: 'text', text },
      ];
}

function pageText(output: PageOutput): string {
  if (output.action === 'close') return withEvents('The browser is closed.', output);
  const { title, address, status, pending, picture, action } = output;
  const answered = status !== undefined && status >= 400 ? ` (the server answered ${status})` : '';
  const head = `Page: ${title === '' ? '' : `${title} — `}${address}${answered}`;
  const loading = pending > 0 ? [`Still loading: ${counted(pending, 'request')} not answered yet.`] : [];
  if (picture !== undefined) {
    const below = picture.below > 0 ? `; ${picture.below} pixels of the page below it are not shown` : '';
    return withEvents(
      [head, ...loading, `The picture is ${picture.width} × ${picture.height} pixels${below}.`].join('\n'),
      output,
    );
  }
  const body = output.shown === '' ? [] : [output.shown];
  const cut = output.left > 0 ? [`[${cutText(output)}]`] : [];
  const lines = [head, ...loading, ...(output.about === undefined ? [] : [output.about]), ...body, ...cut];
  return action === 'console' ? lines.join('\n') : withEvents(lines.join('\n'), output);
}

function cutText({ action, left }: PageOutput): string {
  const more = `${counted(left, 'more line')} not shown`;
  if (action === 'console') return `${counted(left, 'earlier message')} not shown`;
  return `${more}: take a snapshot with \`ref\` for a part of the page, or with \`find\` for a text`;
}

function withEvents(text: string, { events, more, action }: PageOutput): string {
  const left = more > 0 ? [`and ${more} more${action === 'close' ? '' : ', which the action `console` shows'}`] : [];
  return events.length === 0 && left.length === 0
    ? text
    : [text, 'Since the last call:', eventLines(events), ...left].filter((part) => part !== '').join('\n');
}

export function pageView(output: PageOutput): ToolView {
  const { picture, title, address, shown, about, events, action } = output;
  if (picture !== undefined) {
    const { data, mediaType, width, height } = picture;
    return { kind: 'picture', data, mediaType, width, height, words: title === '' ? address : title };
  }
  const parts = [
    address === emptyAddress ? '' : markdownLink(title === '' ? address : title, address),
    about ?? '',
    shown === '' ? '' : fenced(shown),
    action === 'console' || events.length === 0 ? '' : fenced(eventLines(events)),
  ];
  return { kind: 'markdown', about: 'web', text: parts.filter((part) => part !== '').join('\n\n') };
}

const emptyAddress = 'about:blank';

/** A few words after the sentence. */
export function pageDetail({ events, more, action, left, element = '' }: PageOutput): string {
  if (action === 'console') return left > 0 ? 'the latest' : '';
  const errors = events.filter(({ kind }) => kind === 'error' || kind === 'crash').length;
  const failed = events.filter(({ kind }) => kind === 'request').length;
  const stopped = events.some(({ kind }) => kind === 'stopped');
  return [
    element,
    stopped ? 'stopped at another address' : '',
    errors > 0 ? counted(errors, 'error') : '',
    failed > 0 ? counted(failed, 'failed request') : '',
    more > 0 ? `${more} more` : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}
