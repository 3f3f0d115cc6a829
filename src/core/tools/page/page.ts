// Page: opens a page in a real browser, acts in it, and says what it shows, logs and fails to load.
import { z } from 'zod/v3';
import { shortened } from '../../../shared/cut-text';
import { defined } from '../../../shared/defined';
import { visibleText } from '../../../shared/visible-text';
import { emptyPage } from '../../permissions/rules/local-addresses';
import { type PageFacts, type PageOutcome, type PageRules, type PageStep } from '../../ports/pages';
import { shownAddress } from '../../text/web-address';
import { words } from '../../text/words';
import { buildTool, promptOf } from '../../tool/build-tool';
import { fail } from '../../tool/file-failure';
import { type ToolContext, type ToolFailure, type ToolResult, type ValidationResult } from '../../tool/tool';
import { openedAddress } from './opened-address';
import { approvalOfAct, elementIn } from './page-approval';
import {
  eventLines,
  historyText,
  maxChangeBytes,
  maxTreeBytes,
  pageContent,
  pageDetail,
  type PageOutput,
  pageOutputSchema,
  pageView,
  shownEvents,
} from './page-output';
import { cutLines, linesWith, partOfTree, treeChange } from './tree-text';
import prompt from './page.md';

const inputSchema = z.strictObject({
  action: z
    .enum(['open', 'snapshot', 'click', 'type', 'press', 'screenshot', 'console', 'close'])
    .describe('What to do'),
  url: z.string().optional().describe('For open: the address'),
  ref: z.string().optional().describe('The element, such as e5. For snapshot: only this part'),
  text: z.string().optional().describe('For type: the new text of the field, or the option'),
  submit: z.boolean().optional().describe('For type: press Enter afterwards'),
  key: z.string().optional().describe('For press: Enter, Escape, Control+A, a …'),
  find: z.string().optional().describe('For snapshot: only lines with this text'),
  full: z.boolean().optional().describe('For screenshot: the whole page'),
});
export type PageInput = z.infer<typeof inputSchema>;

export const pageTool = buildTool<PageInput, PageOutput>({
  name: 'Page',
  seldom: 'opens local web pages in a browser: click, type, screenshot, console',
  bulky: true,
  searchText:
    'page browser web app localhost click type screenshot console errors failed requests accessibility test ui',
  prompt: promptOf(prompt),
  inputSchema,
  outputSchema: pageOutputSchema,
  access: 'DangerFullAccess',
  isEnabled: (availability) => availability.has('pages'),
  isReadOnly: ({ action }) => !acting.has(action),
  targets: ({ action, url }) => (action === 'open' && url !== undefined ? [{ kind: 'url', url: hrefOf(url) }] : []),
  furtherAddress: ({ action }, { ports, session }) => {
    if (action === 'open') return undefined;
    return action === 'close' ? emptyPage : (ports.pages?.address(session.id) ?? emptyPage);
  },
  describe: (input) => sentences[input.action](input),
  validateInput: async (input, { ports, session }) => validate(input, ports.pages?.address(session.id) !== undefined),
  preview: async ({ action, ...input }, context) => {
    // What only looks says all in its address.
    if (action === 'click' || action === 'type' || action === 'press')
      return approvalOfAct({ ...input, action }, context);
    return { view: { kind: 'json', text: visibleText(JSON.stringify({ action, ...input }, undefined, 2)) } };
  },
  call,
  content: pageContent,
  view: pageView,
  detail: pageDetail,
});

/** What may change something: plan mode denies it. */
const acting: ReadonlySet<PageInput['action']> = new Set(['click', 'type', 'press']);

const sentences: Readonly<Record<PageInput['action'], (input: PageInput) => { now: string; past: string }>> = {
  open: ({ url = '' }) => ({ now: `Opening ${shownAddress(url)}`, past: `Opened ${shownAddress(url)}` }),
  snapshot: () => ({ now: 'Looking at the page', past: 'Looked at the page' }),
  click: ({ ref = '' }) => ({ now: `Clicking on ${ref} in the page`, past: `Clicked on ${ref} in the page` }),
  type: ({ text = '' }) => ({
    now: `Typing "${shortened(text, maxTyped)}" into the page`,
    past: `Typed "${shortened(text, maxTyped)}" into the page`,
  }),
  press: ({ key = '' }) => ({ now: `Pressing ${key} in the page`, past: `Pressed ${key} in the page` }),
  screenshot: () => ({ now: 'Taking a picture of the page', past: 'Took a picture of the page' }),
  console: () => ({ now: 'Reading the console of the page', past: 'Read the console of the page' }),
  close: () => ({ now: 'Closing the browser', past: 'Closed the browser' }),
};

const maxTyped = 40;

/** As it is asked for: rules see the same host that is connected to. */
function hrefOf(url: string): string {
  const address = openedAddress(url);
  return address.ok ? address.url.href : url;
}

/** The parameters that an action cannot do without. */
const needed: Readonly<Partial<Record<PageInput['action'], readonly (keyof PageInput)[]>>> = {
  open: ['url'],
  click: ['ref'],
  type: ['ref', 'text'],
  press: ['key'],
};

function validate(input: PageInput, isOpen: boolean): ValidationResult {
  const { action, url } = input;
  const missing = needed[action]?.find((name) => input[name] === undefined || (input[name] === '' && name !== 'text'));
  if (missing !== undefined)
    return { ok: false, code: 'missing', message: `The action ${action} needs \`${missing}\`.` };
  if (action === 'open') {
    const address = openedAddress(url ?? '');
    return address.ok ? { ok: true } : { ok: false, code: 'address', message: address.message };
  }
  return isOpen || action === 'close'
    ? { ok: true }
    : { ok: false, code: 'no-page', message: 'No page is open. Open one first: action `open` with its `url`.' };
}

function stepOf({
  action,
  url = '',
  ref = '',
  text = '',
  submit = false,
  key = '',
  full = false,
}: PageInput): PageStep {
  switch (action) {
    case 'open':
      return { action, url: hrefOf(url) };
    case 'click':
      return { action, ref };
    case 'type':
      return { action, ref, text, submit };
    case 'press':
      return { action, key, ...(ref === '' ? {} : { ref }) };
    case 'screenshot':
      return { action: 'picture', whole: full };
    case 'close':
      return { action };
    case 'snapshot':
    case 'console':
      return { action: 'look' };
  }
}

/** The host that the call was allowed for is allowed to it; everything else by the rules alone, as nobody is asked meanwhile. */
function rulesOf({ judgeAddress, deniedHosts }: ToolContext, approved: string | undefined): PageRules {
  const host = approved !== undefined && URL.canParse(approved) ? new URL(approved).host : undefined;
  const judged = (url: string): string => judgeAddress?.(url) ?? 'deny';
  return {
    mayGo(url) {
      const verdict = judged(url);
      return verdict === 'allow' || (verdict === 'ask' && host !== undefined && new URL(url).host === host);
    },
    mayLoad: (url) => judged(url) !== 'deny',
    deniedHosts: deniedHosts?.() ?? ['*'],
  };
}

async function call(input: PageInput, context: ToolContext): Promise<ToolResult<PageOutput> | ToolFailure> {
  const { ports, session, signal } = context;
  const { pages } = ports;
  if (pages === undefined) return fail('no-browser', 'This host opens no pages.');
  const { action } = input;
  if (action === 'close' && pages.address(session.id) === undefined) return { data: nothingOpen };
  const step = stepOf(input);
  const approved = step.action === 'open' ? step.url : pages.address(session.id);
  const outcome = await pages.run({ session: session.id, step, rules: rulesOf(context, approved) }, signal);
  if (outcome.outcome === 'refused') return refusal(outcome);
  const { facts } = outcome;
  const { title, address, status, pending, picture } = facts;
  const shown = shownOf(input, facts, pages.history(session.id));
  if ('failure' in shown) return shown;
  return {
    data: {
      action,
      address,
      title: shortened(title.replace(/\s+/g, ' ').trim(), maxTitle),
      ...(action === 'open' && status !== undefined ? { status } : {}),
      ...(acting.has(action) && input.ref !== undefined ? defined({ element: elementOf(facts, input.ref) }) : {}),
      ...shown,
      ...shownEvents(facts.events, facts.dropped),
      pending,
      ...(picture === undefined ? {} : { picture }),
    },
  };
}

function elementOf({ before, tree }: PageFacts, ref: string): string | undefined {
  const element = elementIn(before ?? '', ref) ?? elementIn(tree, ref);
  return element === undefined ? undefined : shortened(element, maxTyped);
}

const maxTitle = 120;

const nothingOpen: PageOutput = {
  action: 'close',
  address: emptyPage,
  title: '',
  shown: '',
  left: 0,
  events: [],
  more: 0,
  pending: 0,
};

function refusal({ code, message, events }: Extract<PageOutcome, { outcome: 'refused' }>): ToolFailure {
  const { events: shown } = shownEvents(events, 0);
  const happened = shown.length === 0 ? '' : `\nThe page said:\n${eventLines(shown)}`;
  if (code === 'unreachable')
    return fail(
      code,
      words`${message}{{Bash:  If the server does not run yet, start it with Bash in the background and wait until it answers.}}${happened}`,
    );
  return fail(code, `${message}${happened}`);
}

type Shown = Pick<PageOutput, 'shown' | 'about' | 'left'>;

function shownOf(
  input: PageInput,
  { tree, before }: PageFacts,
  history: Parameters<typeof historyText>[0],
): Shown | ToolFailure {
  switch (input.action) {
    case 'open':
      return wholeTree(tree);
    case 'snapshot':
      return snapshotOf(input, tree);
    case 'console': {
      const { text, left } = historyText(history);
      return {
        shown: text,
        left,
        about: text === '' ? 'The page has logged nothing.' : 'All messages since it was opened:',
      };
    }
    case 'screenshot':
    case 'close':
      return { shown: '', left: 0 };
    case 'click':
    case 'type':
    case 'press': {
      // Another page: nothing of it can be compared.
      if (before === undefined) return { ...wholeTree(tree), about: 'Another page is open now:' };
      const change = treeChange(before, tree);
      const { text, left } = cutLines(change, maxChangeBytes);
      return { shown: text, left, about: change === '' ? 'Nothing that the tree shows has changed.' : 'Changed:' };
    }
  }
}

function wholeTree(tree: string): Shown {
  const { text, left } = cutLines(tree, maxTreeBytes);
  return { shown: text, left, ...(tree.trim() === '' ? { about: 'The page is empty.' } : {}) };
}

function snapshotOf({ ref, find }: PageInput, tree: string): Shown | ToolFailure {
  const part = ref === undefined || ref === '' ? tree : partOfTree(tree, ref);
  if (part === undefined)
    return fail('no-element', `The page has no element ${ref} now. Take a snapshot without \`ref\`.`);
  if (find === undefined || find === '') return wholeTree(part);
  const found = linesWith(part, find);
  const { text, left } = cutLines(found, maxTreeBytes);
  const quoted = JSON.stringify(shortened(find, maxTyped));
  return { shown: text, left, about: found === '' ? `No line has ${quoted}.` : `Lines with ${quoted}:` };
}
