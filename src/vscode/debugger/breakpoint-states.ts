// What a debugger has made of the breakpoints, read from what it and VS Code say to each other.
import { isObject } from '../../shared/plain-object';
import { type Path } from '../../core/ports/path';
import { pathOf } from '../host/uri-path';
import * as vscode from 'vscode';

export interface BreakpointState {
  verified: boolean;
  line?: number;
}

/** Of one debug session. */
export interface BreakpointStates {
  toAdapter(message: unknown): void;
  fromAdapter(message: unknown): void;
}

const keyOf = (path: Path, line: number): string => `${path}:${line}`;

/** By the place that was asked for; of several sessions, the one in which it is set counts. */
export function createBreakpointStates(): {
  of(path: Path, line: number): BreakpointState | undefined;
  forSession(): BreakpointStates;
} {
  const states = new Map<string, BreakpointState>();
  const note = (key: string, breakpoint: unknown): void => {
    if (!isObject(breakpoint)) return;
    const verified = breakpoint['verified'] === true;
    if (!verified && states.get(key)?.verified === true) return;
    const line = breakpoint['line'];
    states.set(key, { verified, ...(verified && typeof line === 'number' ? { line } : {}) });
  };
  return {
    of: (path, line) => states.get(keyOf(path, line)),
    forSession() {
      const asked = new Map<unknown, string[]>();
      const byId = new Map<unknown, string>();
      return {
        toAdapter(message) {
          if (!isObject(message) || message['command'] !== 'setBreakpoints' || !isObject(message['arguments'])) return;
          const { source, breakpoints } = message['arguments'];
          if (!isObject(source) || typeof source['path'] !== 'string' || !Array.isArray(breakpoints)) return;
          const path = pathOf(vscode.Uri.file(source['path']));
          asked.set(
            message['seq'],
            breakpoints.map((one) => keyOf(path, isObject(one) ? Number(one['line']) : 0)),
          );
        },
        fromAdapter(message) {
          if (!isObject(message) || !isObject(message['body'])) return;
          const { body } = message;
          if (message['command'] === 'setBreakpoints' && Array.isArray(body['breakpoints'])) {
            const keys = asked.get(message['request_seq']) ?? [];
            asked.delete(message['request_seq']);
            body['breakpoints'].forEach((breakpoint, index) => {
              const key = keys[index];
              if (key === undefined) return;
              if (isObject(breakpoint)) byId.set(breakpoint['id'], key);
              note(key, breakpoint);
            });
          }
          if (message['event'] !== 'breakpoint' || !isObject(body['breakpoint'])) return;
          const key = byId.get(body['breakpoint']['id']);
          if (key !== undefined) note(key, body['breakpoint']);
        },
      };
    },
  };
}
