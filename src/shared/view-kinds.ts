// What is said once about each kind of view and asked by whoever shows, sends or searches one: its paths, its cuts, its words, its icon.
import { plainMarkdown } from './plain-markdown';
import { linesOfEach, maxListed, slimHunks, slimLine, slimTail, slimText } from './slim-view';
import { lastLines, terminalText } from './terminal-text';
import { type DiffView, type ToolView } from './tool-view';

export interface ViewKind<View> {
  /** With each path of a file as `short` writes it. */
  shorten(view: View, short: (path: string) => string): View;
  /** No more than a card shows. */
  slim(view: View): View;
  /** What the card draws, as the text in which words are found. `sentence` is above it already. */
  text(view: View, sentence: string): string;
  /** The codicon of a call that is done. */
  icon(view: View): string;
  /** There is nothing to unfold. */
  isEmpty(view: View): boolean;
}

/** As many lines as a command's card shows of its output. */
const tailLines = 8;

const viewKinds: { [Kind in ToolView['kind']]: ViewKind<Extract<ToolView, { kind: Kind }>> } = {
  diff: {
    shorten: shortDiff,
    slim: (view) => {
      const { hunks, cut } = slimHunks(view.hunks);
      return { ...view, hunks, truncated: view.truncated || cut };
    },
    text: ({ hunks }) => hunks.flatMap(({ lines }) => lines.map((line) => line.slice(1))).join('\n'),
    icon: ({ created }) => (created ? 'new-file' : 'edit'),
    isEmpty: () => false,
  },
  changes: {
    shorten: (view, short) => ({ ...view, files: view.files.map((file) => shortDiff(file, short)) }),
    slim: (view) => ({
      ...view,
      files: view.files.slice(0, maxListed).map((file) => {
        const { hunks, cut } = slimHunks(file.hunks, linesOfEach(view.files.length));
        return { ...file, hunks, truncated: file.truncated || cut };
      }),
    }),
    text: ({ files }) =>
      files
        .map(({ path, movedFrom, hunks }) =>
          [
            movedFrom === undefined ? path : `${path} (moved from ${movedFrom})`,
            ...hunks.flatMap(({ lines }) => lines.map((line) => line.slice(1))),
          ].join('\n'),
        )
        .join('\n'),
    icon: () => 'edit',
    isEmpty: ({ files }) => files.length === 0,
  },
  terminal: {
    // A command is shown as it runs, paths and all.
    shorten: (view) => view,
    slim: (view) => ({ ...view, tail: slimTail(view.tail) }),
    text: ({ command, tail, note }, sentence) =>
      [sentence.endsWith(command) ? '' : command, lastLines(terminalText(tail), tailLines), note ?? ''].join('\n'),
    icon: () => 'terminal',
    isEmpty: () => false,
  },
  matches: {
    shorten: (view, short) => ({ ...view, items: view.items.map((item) => ({ ...item, path: short(item.path) })) }),
    slim: (view) => ({
      ...view,
      truncated: view.truncated || view.items.length > maxListed,
      items: view.items
        .slice(0, maxListed)
        .map((item) => (item.text === undefined ? item : { ...item, text: slimLine(item.text) })),
    }),
    text: ({ items }) =>
      items.map(({ path, line, text }) => `${line === undefined ? path : `${path}:${line}`}\n${text ?? ''}`).join('\n'),
    icon: () => 'search',
    isEmpty: ({ items }) => items.length === 0,
  },
  tests: {
    shorten: (view, short) => ({
      ...view,
      items: view.items.map((item) => (item.path === undefined ? item : { ...item, path: short(item.path) })),
    }),
    slim: (view) => ({
      ...view,
      items: view.items
        .slice(0, maxListed)
        .map((item) => (item.text === undefined ? item : { ...item, text: slimLine(item.text) })),
      ...(view.tail === undefined ? {} : { tail: slimTail(view.tail) }),
    }),
    text: ({ items, tail }) =>
      [
        ...items.map(({ name, path, line, text }) =>
          [name, path === undefined ? '' : line === undefined ? path : `${path}:${line}`, text ?? ''].join('\n'),
        ),
        ...(tail === undefined ? [] : [tail]),
      ].join('\n'),
    icon: () => 'beaker',
    isEmpty: ({ items, tail }) => items.length === 0 && tail === undefined,
  },
  report: {
    shorten: (view, short) => ({
      ...view,
      places: view.places.map((place) => ({ ...place, path: short(place.path) })),
    }),
    slim: (view) => ({ ...view, text: slimText(view.text), places: view.places.slice(0, maxListed) }),
    text: ({ text }) => text,
    icon: ({ about }) => reportIcons[about],
    isEmpty: ({ text }) => text.trim() === '',
  },
  files: {
    shorten: (view, short) => ({ ...view, items: view.items.map((item) => ({ ...item, path: short(item.path) })) }),
    slim: (view) => ({
      ...view,
      truncated: view.truncated || view.items.length > maxListed,
      items: view.items.slice(0, maxListed),
    }),
    text: ({ items, total }) => (total <= 1 ? '' : items.map(({ path }) => path).join('\n')),
    icon: ({ items, total }) => (total === 1 ? fileIcon(items[0]?.path ?? '') : 'files'),
    isEmpty: ({ total }) => total <= 1,
  },
  image: {
    shorten: (view, short) => ({ ...view, path: short(view.path) }),
    slim: (view) => view,
    text: ({ path }) => path,
    icon: () => 'file-media',
    isEmpty: () => false,
  },
  picture: {
    shorten: (view) => view,
    slim: (view) => view,
    text: ({ words }) => words,
    icon: () => 'device-camera',
    isEmpty: () => false,
  },
  todo: {
    shorten: (view) => view,
    slim: (view) => view,
    text: ({ items }) =>
      items.map(({ status, activeForm, content }) => (status === 'in_progress' ? activeForm : content)).join('\n'),
    icon: () => 'checklist',
    isEmpty: ({ items }) => items.length === 0,
  },
  markdown: {
    shorten: (view) => view,
    slim: (view) => ({ ...view, text: slimText(view.text) }),
    text: ({ text }) => plainMarkdown(text),
    icon: ({ about }) => (about === undefined ? 'tools' : topicIcons[about]),
    isEmpty: ({ text }) => text.trim() === '',
  },
  json: {
    shorten: (view) => view,
    slim: (view) => ({ ...view, text: slimText(view.text) }),
    text: ({ text }) => text,
    icon: () => 'tools',
    isEmpty: ({ text }) => text.trim() === '',
  },
};

export function viewKind<View extends ToolView>(view: View): ViewKind<View> {
  return viewKinds[view.kind] as unknown as ViewKind<View>;
}

export function slimView(view: ToolView): ToolView {
  return viewKind(view).slim(view);
}

function shortDiff(view: DiffView, short: (path: string) => string): DiffView {
  const { path, movedFrom } = view;
  return { ...view, path: short(path), ...(movedFrom === undefined ? {} : { movedFrom: short(movedFrom) }) };
}
const reportIcons = { debugger: 'debug-alt', task: 'tools', notebook: 'notebook' } as const;

const topicIcons = { web: 'globe', code: 'code' } as const;

/** Files that are not read as lines of text have icons of their own. */
function fileIcon(path: string): string {
  if (/\.pdf$/i.test(path)) return 'file-pdf';
  return /\.ipynb$/i.test(path) ? 'notebook' : 'file';
}
