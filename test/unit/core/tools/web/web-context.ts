// A tool context over scripted pages and a scripted model.
import assert from 'node:assert/strict';
import { smallModel } from '../../../../../src/core/model/models';
import { createSmallModel } from '../../../../../src/core/model/small-model';
import { type Usage } from '../../../../../src/core/wire/wire';
import { type WebClient, type WebOutcome, type WebRequest } from '../../../../../src/core/ports/web';
import { createReadState } from '../../../../../src/core/sessions/read-state';
import { type ToolContext } from '../../../../../src/core/tool/tool';
import { createManualClock, type ManualClock } from '../../../../support/manual-clock';
import { createScriptedModel, type ModelScript, type ScriptedModel } from '../../../../support/scripted-model';
import { unusedPorts } from '../../../../support/unused-ports';

export interface WebSetup {
  /** By address; others are not found. */
  pages?: Record<string, WebOutcome>;
  model?: ModelScript;
  /** Addresses that a rule denies. */
  denied?: string[];
  toMarkdown?: WebClient['toMarkdown'];
}

export interface WebContext {
  context: ToolContext;
  asked: WebRequest[];
  model: ScriptedModel;
  clock: ManualClock;
  /** What the small model took, try by try. */
  used: Usage[];
}

export function webContext({
  pages = {},
  model: script = [],
  denied = [],
  toMarkdown = async (html) => `markdown of ${html}`,
}: WebSetup): WebContext {
  const asked: WebRequest[] = [];
  const model = createScriptedModel(script);
  const clock = createManualClock();
  const used: Usage[] = [];
  const fetch: WebClient['fetch'] = async (request) => {
    asked.push(request);
    return (
      pages[request.url] ?? {
        outcome: 'refused',
        code: 'not_found',
        message: `The name of ${request.url} was not found.`,
      }
    );
  };
  const context: ToolContext = {
    toolUseId: 'toolu_1',
    signal: new AbortController().signal,
    session: {
      id: 's',
      cwd: '/w',
      folders: ['/w'],
      home: '/h',
      resultsDirectory: '/r',
      readState: createReadState(),
      isHidden: () => false,
      todos: () => [],
      questionTimeoutMs: () => undefined,
      earlierSearches: 0,
      smallModel: createSmallModel(smallModel, { model, clock }, (usage) => void used.push(usage)),
      onArrival: () => () => undefined,
    },
    ports: unusedPorts({ web: { fetch, toMarkdown }, model, clock }),
    onProgress: () => assert.fail('Web tools report no progress.'),
    mayReach: (url) => !denied.includes(new URL(url).host),
  };
  return { context, asked, model, clock, used };
}

export function page(
  body: string | Uint8Array,
  type = 'text/html; charset=utf-8',
  changes: { status?: number; truncated?: boolean; headers?: Record<string, string> } = {},
): WebOutcome {
  return {
    outcome: 'response',
    status: changes.status ?? 200,
    headers: { ...(type === '' ? {} : { 'content-type': type }), ...changes.headers },
    bytes: typeof body === 'string' ? new TextEncoder().encode(body) : body,
    truncated: changes.truncated ?? false,
  };
}

export function redirect(location: string, status = 302): WebOutcome {
  return page('', '', { status, headers: { location } });
}
