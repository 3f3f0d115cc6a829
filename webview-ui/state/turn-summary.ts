// What a finished turn did, in a few words: "Edited 3 files, ran 2 commands".
import { counted } from '../../src/shared/counted';
import { type ChatItem, type ToolItem } from '../../src/shared/chat';
import { headOf } from '../../src/shared/cut-text';
import { foldable, looksSummary } from './turn-rows';

const maxPrompt = 200;

export function turnSummary(items: readonly ChatItem[]): string {
  const done = items.filter((item): item is ToolItem => item.kind === 'tool' && item.state === 'done');
  const edited = new Set(done.flatMap(({ view }) => (view?.kind === 'diff' ? [view.path] : [])));
  const commands = items.filter((item) => item.kind === 'tool' && ranCommand(item)).length;
  const looks = done.filter(foldable);
  const others = done.filter((item) => !foldable(item) && item.view?.kind !== 'diff' && !ranCommand(item)).length;
  const parts = [
    edited.size > 0 ? `edited ${counted(edited.size, 'file')}` : '',
    commands > 0 ? `ran ${counted(commands, 'command')}` : '',
    others > 0 ? `did ${counted(others, edited.size + commands > 0 ? 'other thing' : 'thing')}` : '',
    looks.length > 0 ? lowerFirst(looksSummary(looks)) : '',
    items.some((item) => item.kind === 'notice' && item.level === 'error') ? 'had an error' : '',
  ].filter((part) => part !== '');
  if (parts.length === 0) parts.push(items.some(({ kind }) => kind === 'text') ? 'answered' : 'did nothing');
  const sentence = parts.join(', ');
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** The message that the turn answers, in one line. */
export function promptOf(first: ChatItem | undefined): string {
  const text = first?.kind === 'user' ? first.text.replace(/\s+/g, ' ').trim() : '';
  return text === '' ? 'A message without text' : headOf(text, maxPrompt);
}

/** Whether it succeeded or not. */
function ranCommand({ view, readOnly, state }: ToolItem): boolean {
  if (view?.kind !== 'terminal' || view.state === 'not-started') return false;
  return !(readOnly && state === 'done');
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
