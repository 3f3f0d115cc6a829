// Draws what a tool shows, by the kind of its view: the chat knows no tools.
import { defined } from '../../src/shared/defined';
import { type DiffHunk, type ToolView } from '../../src/shared/tool-view';
import { Markdown } from '../markdown/markdown';
import { ChangesBody } from './changes-view';
import { DiffBody } from './diff-view';
import { FilesBody, ImageBody, MatchesBody } from './list-views';
import { PictureBody } from './picture-view';
import { JsonBody, TodoBody } from './plain-views';
import { ReportBody } from './report-view';
import { TerminalBody } from './terminal-view';
import { TestsBody } from './tests-view';

export interface ViewBodyProps {
  view: ToolView;
  toolUseId: string;
  /** It is above the view: what it says is not repeated. */
  sentence?: string;
  /** Where an edit waits for an answer. */
  onTakeBack?: ((hunk: DiffHunk) => void) | undefined;
}

export function ViewBody({ view, toolUseId, sentence = '', onTakeBack }: ViewBodyProps) {
  switch (view.kind) {
    case 'diff':
      return <DiffBody view={view} {...defined({ onTakeBack })} />;
    case 'changes':
      return <ChangesBody view={view} toolUseId={toolUseId} />;
    case 'terminal':
      return <TerminalBody view={view} toolUseId={toolUseId} commandShown={sentence.endsWith(view.command)} />;
    case 'matches':
      return <MatchesBody view={view} />;
    case 'tests':
      return <TestsBody view={view} />;
    case 'report':
      return <ReportBody view={view} />;
    case 'files':
      return <FilesBody view={view} />;
    case 'image':
      return <ImageBody view={view} />;
    case 'picture':
      return <PictureBody view={view} />;
    case 'todo':
      return <TodoBody items={view.items} />;
    case 'markdown':
      return <Markdown text={view.text} />;
    case 'json':
      return <JsonBody view={view} />;
  }
}

/** The file that a view is about, if it is about one. */
export function viewFile(view: ToolView | undefined): { path: string; line?: number } | undefined {
  if (view?.kind === 'diff' || view?.kind === 'image') return { path: view.path };
  const only = view?.kind === 'files' && view.total === 1 ? view.items[0] : undefined;
  if (!only) return undefined;
  return only.startLine === undefined ? { path: only.path } : { path: only.path, line: only.startLine };
}
