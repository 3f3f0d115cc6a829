// Cuts a view down to what a card shows, so that a long session stays small on its way to the webview.
import { headOf, shortened, tailOf } from '../../shared/cut-text';
import { type DiffHunk, type ToolView } from '../../shared/tool-view';

const maxDiffLines = 60;
const maxMatches = 30;
const maxLineChars = 240;
const maxTailLines = 8;
const maxTailChars = 1_200;
const maxTextChars = 4_000;

export function slimView(view: ToolView): ToolView {
  switch (view.kind) {
    case 'diff': {
      const { hunks, cut } = firstLines(view.hunks);
      return { ...view, hunks, truncated: view.truncated || cut };
    }
    case 'terminal':
      return { ...view, tail: lastLines(view.tail) };
    case 'matches':
      return {
        ...view,
        truncated: view.truncated || view.items.length > maxMatches,
        items: view.items
          .slice(0, maxMatches)
          .map((item) => (item.text === undefined ? item : { ...item, text: headOf(item.text, maxLineChars) })),
      };
    case 'files':
      return {
        ...view,
        truncated: view.truncated || view.items.length > maxMatches,
        items: view.items.slice(0, maxMatches),
      };
    case 'markdown':
    case 'json':
      return { ...view, text: shortened(view.text, maxTextChars) };
    case 'image':
    case 'todo':
      return view;
  }
}

function firstLines(hunks: DiffHunk[]): { hunks: DiffHunk[]; cut: boolean } {
  let left = maxDiffLines;
  let cut = false;
  const kept: DiffHunk[] = [];
  for (const hunk of hunks) {
    if (left === 0) return { hunks: kept, cut: true };
    const lines = hunk.lines.slice(0, left).map((line) => headOf(line, maxLineChars));
    cut ||= lines.length < hunk.lines.length;
    left -= lines.length;
    kept.push({ ...hunk, lines });
  }
  return { hunks: kept, cut };
}

function lastLines(text: string): string {
  return tailOf(
    text
      .split('\n')
      .slice(-maxTailLines - 1)
      .join('\n'),
    maxTailChars,
  );
}
