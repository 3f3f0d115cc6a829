// What a session reports as updates of the Agent Client Protocol: by the same projection as the chat in VS Code.
import { type SessionUpdate, type ToolCallContent } from '@agentclientprotocol/sdk';
import { type SessionEvent } from '../../core/events/session-event';
import { type AgentSession } from '../../core/feature/agent-session';
import { type SessionRecord } from '../../core/ports/record';
import { createChatProjection } from '../../core/projection/chat-projection';
import { createToolRegistry, getAllBaseTools } from '../../core/tools/registry';
import { type ChatEvent, type ChatItem, emptyChat, type ToolItem } from '../../shared/chat';
import { type TodoItem } from '../../shared/tool-view';
import { kindOf, locationsOf, statusOf, textContent, viewContent } from './acp-content';

export interface AcpUpdates {
  /** Of an event that comes now. */
  live(event: SessionEvent): SessionUpdate[];
  /** Of all that the session has in its log. */
  replay(): SessionUpdate[];
  /** A terminal of the editor shows this call from now on. */
  terminal(toolUseId: string, terminalId: string): SessionUpdate[];
}

export function createAcpUpdates(session: AgentSession): AcpUpdates {
  return new Updates(session);
}

type TextKind = 'agent_message_chunk' | 'agent_thought_chunk';

class Updates implements AcpUpdates {
  readonly #session: AgentSession;
  readonly #projection: ReturnType<typeof createChatProjection>;
  /** Texts by their ids, as far as they were sent. */
  readonly #texts = new Map<string, { kind: TextKind; sent: string }>();
  readonly #calls = new Set<string>();
  readonly #inputs = new Map<string, unknown>();
  readonly #results = new Map<string, unknown>();
  readonly #terminals = new Map<string, string>();

  constructor(session: AgentSession) {
    this.#session = session;
    // A log holds calls of tools too that this run does not offer: the list of tasks that TodoWrite left.
    const registry = createToolRegistry([...session.settings.registry.all(), ...getAllBaseTools()]);
    this.#projection = createChatProjection({ registry, folders: [] });
  }

  live(event: SessionEvent): SessionUpdate[] {
    if (event.type === 'record') this.#note(event.record);
    return this.#projection.project(event).flatMap((shown) => this.#update(shown));
  }

  replay(): SessionUpdate[] {
    const { id, permission, choices, records } = this.#session;
    for (const record of records) this.#note(record);
    const { items, todos } = this.#projection.replay(emptyChat(id, permission.mode, choices.model), records);
    return [
      ...items.flatMap((item) => (item.kind === 'user' ? [chunk('user_message_chunk', item.text)] : this.#item(item))),
      ...(todos.length === 0 ? [] : [planOf(todos)]),
    ];
  }

  terminal(toolUseId: string, terminalId: string): SessionUpdate[] {
    if (!this.#calls.has(toolUseId)) return [];
    this.#terminals.set(toolUseId, terminalId);
    return [{ sessionUpdate: 'tool_call_update', toolCallId: toolUseId, content: this.#content(toolUseId, []) }];
  }

  /** Inputs and results as they are, which a card of the chat does not hold. */
  #note(record: SessionRecord): void {
    if (record.type === 'assistant') {
      for (const block of record.message.content)
        if (block.type === 'tool_use') this.#inputs.set(block.id, block.input);
    } else if (record.type === 'user' && typeof record.message.content !== 'string')
      for (const block of record.message.content)
        if (block.type === 'tool_result') this.#results.set(block.tool_use_id, record.toolUseResult);
  }

  #update(event: ChatEvent): SessionUpdate[] {
    switch (event.type) {
      case 'item':
        // What the user has just said is on their screen.
        return event.item.kind === 'user' ? [] : this.#item(event.item);
      case 'delta':
        return this.#text(event.id, event.text);
      case 'tool':
        return this.#change(event.id, event.change);
      case 'remove':
        return this.#calls.has(event.id) ? this.#change(event.id, { state: 'stopped' }) : [];
      case 'todos':
        return [planOf(event.todos)];
      case 'mode':
        return [{ sessionUpdate: 'current_mode_update', currentModeId: event.mode }];
      case 'title':
        return [{ sessionUpdate: 'session_info_update', title: event.title }];
      case 'usage': {
        const { contextTokens, contextWindow, costUsd, costKnown } = event.usage;
        const cost = costKnown ? { cost: { amount: costUsd, currency: 'USD' } } : {};
        return [{ sessionUpdate: 'usage_update', used: contextTokens, size: contextWindow, ...cost }];
      }
      default:
        return [];
    }
  }

  #item(item: ChatItem): SessionUpdate[] {
    if (item.kind === 'text' || item.kind === 'thinking') {
      const kind = item.kind === 'text' ? 'agent_message_chunk' : 'agent_thought_chunk';
      const known = this.#texts.get(item.id) ?? { kind, sent: '' };
      this.#texts.set(item.id, known);
      // A text that was sent cannot be taken back: only what comes behind it is sent.
      return item.text.startsWith(known.sent) ? this.#text(item.id, item.text.slice(known.sent.length)) : [];
    }
    return item.kind === 'tool' ? this.#call(item) : [];
  }

  #text(id: string, text: string): SessionUpdate[] {
    const known = this.#texts.get(id);
    if (known === undefined || text === '') return [];
    known.sent += text;
    return [chunk(known.kind, text)];
  }

  #call({ id, name, sentence, state, view, message }: ToolItem): SessionUpdate[] {
    const { registry } = this.#session.settings;
    const input = this.#inputs.get(id);
    const facts = {
      toolCallId: id,
      title: sentence.now,
      kind: kindOf(name),
      locations: locationsOf(registry.find(name), input, this.#session.surroundings.cwd),
      ...(input === undefined ? {} : { rawInput: input }),
      ...(view === undefined && message === undefined ? {} : { content: this.#shown(id, view, message) }),
    };
    const isNew = !this.#calls.has(id);
    this.#calls.add(id);
    return isNew
      ? [{ sessionUpdate: 'tool_call', status: statusOf[state], ...facts }]
      : [{ sessionUpdate: 'tool_call_update', status: statusOf[state], ...facts }];
  }

  #change(id: string, { state, view, message }: Partial<ToolItem>): SessionUpdate[] {
    if (!this.#calls.has(id)) return [];
    const content = view === undefined && message === undefined ? {} : { content: this.#shown(id, view, message) };
    const status = state === undefined ? {} : { status: statusOf[state] };
    if (Object.keys(content).length + Object.keys(status).length === 0) return [];
    return [{ sessionUpdate: 'tool_call_update', toolCallId: id, ...status, ...content }];
  }

  #shown(id: string, view: ToolItem['view'], message: string | undefined): ToolCallContent[] {
    const shown = view === undefined ? [] : viewContent(view, this.#results.get(id));
    return this.#content(id, message === undefined ? shown : [...shown, ...textContent(message)]);
  }

  /** A terminal stays what shows the command. */
  #content(id: string, content: ToolCallContent[]): ToolCallContent[] {
    const terminalId = this.#terminals.get(id);
    return terminalId === undefined ? content : [{ type: 'terminal', terminalId }];
  }
}

export function chunk(kind: TextKind | 'user_message_chunk', text: string): SessionUpdate {
  return { sessionUpdate: kind, content: { type: 'text', text } };
}

function planOf(todos: readonly TodoItem[]): SessionUpdate {
  return {
    sessionUpdate: 'plan',
    entries: todos.map(({ content, status }) => ({ content, status, priority: 'medium' })),
  };
}
