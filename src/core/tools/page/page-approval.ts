// What a user is asked before the agent acts in a page: on which element, by its role and name, and what is typed.
import { shortened } from '../../../shared/cut-text';
import { visibleText } from '../../../shared/visible-text';
import { fenced } from '../../../shared/plain-markdown';
import { type ToolContext, type ToolPreview } from '../../tool/tool';
import { partOfTree } from './tree-text';

export interface ActingInput {
  action: 'click' | 'type' | 'press';
  ref?: string | undefined;
  text?: string | undefined;
  key?: string | undefined;
  submit?: boolean | undefined;
}

const maxName = 80;

export function approvalOfAct(
  input: ActingInput,
  { session, ports, redacted = (text) => text }: ToolContext,
): ToolPreview {
  const { action, ref, text = '', key = '', submit } = input;
  const tree = ports.pages?.tree(session.id) ?? '';
  const element = ref === undefined || ref === '' ? undefined : elementIn(tree, ref);
  const named = element ?? (ref === undefined || ref === '' ? undefined : `${ref}, which the last look did not show`);
  const on = named === undefined ? '' : ` ${shortened(named, maxName)}`;
  const title = {
    click: `Click${on}?`,
    type: `Type into${on}?`,
    press: `Press ${key}${on === '' ? '' : ` on${on}`}?`,
  }[action];
  const lines = [
    `Page: ${ports.pages?.address(session.id) ?? ''}`,
    `Element: ${named === undefined ? 'the one that has the focus' : `${named}${element === undefined ? '' : ` (${ref})`}`}`,
    ...(action === 'type' ? [`Text: ${text}`] : []),
    ...(action === 'press' ? [`Key: ${key}`] : []),
    ...(submit === true ? ['Then it presses Enter.'] : []),
  ];
  return {
    title: redacted(visibleText(title)),
    view: { kind: 'markdown', text: fenced(visibleText(lines.join('\n'))) },
  };
}

/** As users know it: `button "Save"`. Undefined where the tree has no such element. */
export function elementIn(tree: string, ref: string): string | undefined {
  const line = partOfTree(tree, ref);
  const [role = ''] = /^- [^[:]+/.exec(line ?? '') ?? [];
  return line === undefined ? undefined : role.slice(2).trim();
}
