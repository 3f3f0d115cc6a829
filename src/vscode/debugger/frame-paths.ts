// Files of stack frames as ports name them: VS Code answers with addresses, which in remote windows are not paths.
import * as vscode from 'vscode';
import { isObject } from '../../shared/plain-object';
import { filePathOf } from '../host/uri-path';

/** The answer to `stackTrace`; any other as it is. A source that is no file has no path then. */
export function withPaths(answer: unknown): unknown {
  if (!isObject(answer) || !Array.isArray(answer['stackFrames'])) return answer;
  return { ...answer, stackFrames: answer['stackFrames'].map(withPath) };
}

function withPath(frame: unknown): unknown {
  if (!isObject(frame) || !isObject(frame['source'])) return frame;
  const { path, ...source } = frame['source'];
  const found = typeof path === 'string' ? fileOf(path) : undefined;
  return { ...frame, source: found === undefined ? source : { ...source, path: found } };
}

function fileOf(path: string): string | undefined {
  if (!/^[a-z][\w+.-]+:\/\//i.test(path)) return path;
  const uri = vscode.Uri.parse(path);
  // In a remote window the files of this machine have the scheme of the connection.
  return filePathOf(uri.scheme === 'vscode-remote' ? vscode.Uri.file(uri.path) : uri);
}
