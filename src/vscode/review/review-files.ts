// The two URI schemes of reviews: read-only originals and baselines, and proposals that can be changed.
import type * as vscode from 'vscode';
import { type MemoryFiles, registerMemoryFiles } from './memory-files';

export interface ReviewSchemes {
  original: string;
  proposed: string;
}

export interface ReviewFiles extends vscode.Disposable {
  readonly original: MemoryFiles;
  readonly proposed: MemoryFiles;
  readonly schemes: ReviewSchemes;
  /** Reads wait for this part of what a reload left behind. To be called before ready(). */
  loading(part: Promise<void>): void;
  /** All parts are named: once they are there, reads are answered. */
  ready(): void;
}

/** The names that package.json's menus and activation events know. */
const reviewSchemes: ReviewSchemes = { original: 'deft-original', proposed: 'deft-proposed' };

/** Registers both schemes, at activation: editors from before a reload ask at once. */
export function registerReviewFiles(schemes = reviewSchemes): ReviewFiles {
  const parts: Promise<void>[] = [];
  let release: () => void = () => undefined;
  const named = new Promise<void>((resolve) => (release = resolve));
  const loaded = named.then(async () => void (await Promise.allSettled(parts)));
  const original = registerMemoryFiles(schemes.original, true, loaded);
  const proposed = registerMemoryFiles(schemes.proposed, false, loaded);
  return {
    original,
    proposed,
    schemes,
    loading: (part) => void parts.push(part),
    ready: () => release(),
    dispose() {
      release();
      original.dispose();
      proposed.dispose();
    },
  };
}

/** The file's URI under another scheme: the same name and language. */
export function reviewUri(file: vscode.Uri, scheme: string, query: string): vscode.Uri {
  return file.with({ scheme, query, fragment: '' });
}
