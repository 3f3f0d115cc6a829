// What the buttons and the form of the MCP manager do. Each returns a sentence where it did not work.
import { type McpServerEntry, type McpServers } from '../../core/ports/mcp';
import { type RunningMcpServers } from '../../node/mcp/create-mcp-servers';
import { type McpAction, type NewMcpServer } from '../../shared/mcp-view';
import { type RuleSource } from '../session/rule-source';
import { approveWithAnswers, type McpInputs } from './input-answers';
import { entryFingerprint, type McpConsent, projectOf } from './mcp-consent';
import { type McpFiles } from './mcp-files';

export interface ServerActionsOptions {
  running: RunningMcpServers;
  signIn: McpServers['signIn'];
  rules: Pick<RuleSource, 'values'>;
  consent: McpConsent;
  files: McpFiles;
  inputs: McpInputs;
  trusted(): boolean;
}

/** `seen` is the fingerprint of the entry that the user had before them. */
type Action = (entry: McpServerEntry, seen: string) => Promise<string | undefined>;

export class ServerActions {
  readonly #options: ServerActionsOptions;
  readonly #actions: Readonly<Record<McpAction, Action>>;

  constructor(options: ServerActionsOptions) {
    this.#options = options;
    const { running, signIn, consent, files } = options;
    this.#actions = {
      reconnect: (entry) => this.#reconnect(entry),
      signIn: ({ name }) => signIn(name, new AbortController().signal),
      signOut: async ({ name }) => {
        await running.signOut(name);
        return undefined;
      },
      open: (entry) => files.open(entry),
      remove: async (entry) => this.#refreshed(await files.remove(entry)),
      disable: async (entry) => {
        await consent.switchOff(entry, true);
        return this.#refreshed(undefined);
      },
      enable: async (entry) => {
        await consent.switchOff(entry, false);
        return this.#refreshed(this.#isOffBySettings(entry) ? await files.enable(entry) : undefined);
      },
      approve: (entry, seen) => this.#approve(entry, seen),
    };
  }

  async act(server: string, seen: string, action: McpAction): Promise<string | undefined> {
    const { running } = this.#options;
    const named = [...running.list(), ...running.unapproved()]
      .map(({ entry }) => entry)
      .filter(({ name }) => name === server);
    // Two may have one name: it is the one that the user had before them.
    const entry = named.find((one) => entryFingerprint(one) === seen) ?? named[0];
    return entry === undefined ? `The server ${server} no longer exists.` : this.#actions[action](entry, seen);
  }

  async add(server: NewMcpServer): Promise<string | undefined> {
    const { files, consent } = this.#options;
    const added = await files.add(server);
    if (!added.ok) return added.problem;
    // The user wrote it: that needs no second consent.
    await consent.approve(projectOf(added.entry), added.entry);
    return this.#refreshed(undefined);
  }

  canEnable(entry: McpServerEntry): boolean {
    return this.#options.consent.isOff(entry) || this.#isOffBySettings(entry);
  }

  async #reconnect(entry: McpServerEntry): Promise<string | undefined> {
    const { running, inputs } = this.#options;
    const status = running.list().find((one) => one.entry.name === entry.name);
    // One that stands has what it needs.
    if (status?.state.kind === 'failed' && (entry.inputs ?? []).length > 0) {
      // Where all is answered, giving up keeps the answers.
      if (!(await inputs.ask(entry)) && entry.missing !== undefined)
        return `${entry.name} is not started without an answer.`;
      await running.refresh();
    }
    await running.reconnect(entry.name);
    return undefined;
  }

  async #approve(entry: McpServerEntry, seen: string): Promise<string | undefined> {
    const { inputs, consent, trusted } = this.#options;
    if (!trusted()) return 'Trust this workspace first: until then none of its servers is started.';
    if (entryFingerprint(entry) !== seen)
      return `The entry of ${entry.name} has changed since you looked at it. Look at it again.`;
    const approved = await approveWithAnswers(entry, inputs, () => consent.approve(projectOf(entry), entry));
    return this.#refreshed(approved ? undefined : `${entry.name} is not approved without an answer.`);
  }

  #isOffBySettings({ scope, name }: McpServerEntry): boolean {
    return scope === 'project' && this.#options.rules.values().disabledMcpjsonServers?.includes(name) === true;
  }

  async #refreshed(problem: string | undefined): Promise<string | undefined> {
    await this.#options.running.refresh();
    return problem;
  }
}
