// The hooks of a window as a page to read: what runs when, where it is written, and whether it may run.
import { formatRule } from '../permissions/rules/rule-syntax';
import { type HookEntry, handlerText } from './hook-entry';
import { canFailClosed, hookEvents, timeoutOf } from '../ports/hook-events';
import { type HookState, type JudgedHooks } from './hook-settings';

const stateTexts: Record<HookState | 'changed', string> = {
  active: 'active',
  disabled: 'off: `disableAllHooks` is set',
  locked: "off: your organization's settings let only its own hooks run",
  untrusted: 'inert: this workspace is not trusted',
  waiting: 'inert: waiting until you allow the hooks of this project',
  changed: 'inert: one of its scripts is not what you allowed',
};

interface DescribedHook {
  entry: HookEntry;
  state: HookState | 'changed';
  /** Files of the workspace that it runs. */
  scripts?: readonly string[];
}

export function describeHooks({
  all,
  waiting,
}: { all: readonly DescribedHook[] } & Pick<JudgedHooks, 'waiting'>): string {
  const events = Object.keys(hookEvents).filter((event) => all.some(({ entry }) => entry.event === event));
  const lines = ['# Hooks', ''];
  if (all.length === 0)
    lines.push('There are no hooks. Hooks are defined in settings files, such as `.claude/settings.json`.');
  else
    lines.push(
      `${all.length === 1 ? '1 hook' : `${all.length} hooks`}. Each names the file that defines it: change it there.`,
    );
  if (waiting.length > 0 || all.some(({ state }) => state === 'changed'))
    lines.push('', 'Some are waiting until you allow them: Deft asks next to this page.');
  for (const event of events) {
    lines.push('', `## ${event}`, '');
    for (const hook of all) if (hook.entry.event === event) lines.push(...describe(hook));
  }
  return `${lines.join('\n')}\n`;
}

function describe({ entry, state, scripts = [] }: DescribedHook): string[] {
  const { event, matcher, handler, condition, timeoutSeconds, failClosed, file } = entry;
  return [
    `- ${code(handlerText(handler))} (${handler.type})`,
    `  - ${stateTexts[state]}`,
    `  - ${hookEvents[event].matched === undefined || matcher === '' || matcher === '*' ? 'runs every time' : `where ${hookEvents[event].matched} matches ${code(matcher)}`}${condition === undefined ? '' : `, if ${code(formatRule(condition))}`}, at most ${timeoutOf(event, handler.type, timeoutSeconds)} s`,
    ...(failClosed === true && canFailClosed(event) ? ['  - fails closed: if it fails, nothing passes'] : []),
    ...scripts.map((path) => `  - runs ${code(path)}`),
    `  - from ${code(file)}`,
  ];
}

/** What a settings file says must not become markup. */
function code(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const fence = line.includes('`') ? '``' : '`';
  return fence === '`' ? `\`${line}\`` : `\`\` ${line.replaceAll('``', '` `')} \`\``;
}
