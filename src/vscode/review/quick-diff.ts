// Gutter bars and the peek of removed lines: a source control that exists only while something waits for review.
import * as vscode from 'vscode';
import { type Path } from '../../core/ports/path';
import { filePathOf, uriOf } from '../host/uri-path';
import { type ReviewFiles, reviewUri } from './review-files';
import { type TrackedFiles } from './tracked-files';

export interface QuickDiff extends vscode.Disposable {
  /** The URI of the file without Deft's unreviewed changes, ready to be read. */
  serve(path: Path): vscode.Uri;
}

export function createQuickDiff(tracked: TrackedFiles, files: ReviewFiles): QuickDiff {
  let control: vscode.SourceControl | undefined;
  let group: vscode.SourceControlResourceGroup | undefined;
  const baselineUri = (path: Path): vscode.Uri => reviewUri(uriOf(path), files.schemes.original, 'baseline');

  const serve = (path: Path): vscode.Uri => {
    const file = tracked.get(path);
    const uri = baselineUri(path);
    if (file === undefined) files.original.remove(uri);
    else files.original.set(uri, file.baseline);
    return uri;
  };
  const update = (changed: Path[]): void => {
    changed.forEach(serve);
    const paths = tracked.paths();
    if (paths.length === 0) {
      control?.dispose();
      control = group = undefined;
      return;
    }
    if (control === undefined) {
      control = vscode.scm.createSourceControl('deft', 'Deft');
      control.inputBox.visible = false;
      control.quickDiffProvider = {
        provideOriginalResource(uri) {
          const path = filePathOf(uri);
          return path === undefined || tracked.get(path) === undefined ? undefined : baselineUri(path);
        },
      };
      group = control.createResourceGroup('review', 'To Review');
    }
    control.count = paths.length;
    if (group) group.resourceStates = paths.map((path) => resourceState(uriOf(path), baselineUri(path)));
  };
  // Diffs that a reload restored wait for their left side.
  files.loading(tracked.restored.then(() => update(tracked.paths())));
  const subscription = tracked.onDidChange(update);
  return {
    serve,
    dispose() {
      subscription.dispose();
      control?.dispose();
    },
  };
}

function resourceState(uri: vscode.Uri, baseline: vscode.Uri): vscode.SourceControlResourceState {
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  return {
    resourceUri: uri,
    command: {
      title: 'Open Changes',
      command: 'vscode.diff',
      arguments: [baseline, uri, `${name} (Deft's changes)`, { preview: true }],
    },
  };
}
