// What the host was asked about single calls: whole outputs, and why they were allowed. Gone with their session.
import { effect, signal } from '@preact/signals';
import type { ToolOutput, ToolTrace } from '../../src/shared/answers';
import { request } from '../host/vscode-api';
import { chat } from './chat';

export const outputs = signal<ReadonlyMap<string, ToolOutput>>(new Map());
export const traces = signal<ReadonlyMap<string, ToolTrace>>(new Map());

export async function loadWholeOutput(toolUseId: string): Promise<void> {
  const output = await request('loadOutput', { toolUseId });
  outputs.value = new Map(outputs.peek()).set(toolUseId, output);
}

export async function loadTrace(toolUseId: string): Promise<void> {
  const trace = await request('explain', { toolUseId });
  traces.value = new Map(traces.peek()).set(toolUseId, trace);
}

let shownSession = '';

effect(() => {
  const { sessionId } = chat.facts.value;
  if (sessionId === shownSession) return;
  shownSession = sessionId;
  outputs.value = new Map();
  traces.value = new Map();
});
