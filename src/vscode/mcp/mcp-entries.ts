// The servers that files and plugins name for this window, and the variables that their entries may use.
import { withoutCredentials } from '../../core/text/credentials';
import { type McpConfigSource } from '../../core/mcp/config-source';
import { inlineServers } from '../../core/mcp/inline-servers';
import { type McpConfiguration, readMcpConfig } from '../../core/mcp/read-config';
import { findMcpFiles, onlyManagedServers } from '../../node/mcp/find-config';
import { type SettingsWatch } from '../../node/settings-files';
import { defined } from '../../shared/defined';
import { nativeFolders } from '../host/workspace-facts';
import { type RuleSource } from '../session/rule-source';
import { answersFor, type McpInputs } from './input-answers';
import { type SignIns } from './sign-in';

export interface McpEntriesOptions {
  rules: Pick<RuleSource, 'load' | 'environment'>;
  signIns: Pick<SignIns, 'load'>;
  inputs: Pick<McpInputs, 'load'>;
  /** Servers of plugins that are on, and that the user has agreed to. */
  pluginServers(): Promise<readonly McpConfigSource[]>;
  environment(): Promise<NodeJS.ProcessEnv>;
  home: string;
  variables: NodeJS.ProcessEnv;
  /** Follows the files that were read. */
  watch: Pick<SettingsWatch, 'follow'>;
}

export class McpEntries {
  readonly #options: McpEntriesOptions;
  #begin = (): void => undefined;
  readonly #begun = new Promise<void>((resolve) => (this.#begin = resolve));

  constructor(options: McpEntriesOptions) {
    this.#options = options;
  }

  /** Nothing is read before. */
  start(): void {
    this.#begin();
  }

  async read(): Promise<McpConfiguration> {
    const { rules, signIns, home, variables, watch } = this.#options;
    await this.#begun;
    const [environment] = await Promise.all([
      this.#options.environment(),
      rules.load().catch(() => undefined),
      signIns.load(),
    ]);
    const request = { folders: nativeFolders(), home, environment: variables, editor: true };
    // Before they are read: what changes meanwhile is seen.
    await watch.follow((await findMcpFiles(request)).watched);
    const found = await findMcpFiles({ ...request, plugins: await this.#options.pluginServers() });
    const answers = await this.#answersTo(found.sources);
    const { entries, problems } = readMcpConfig(
      found.sources,
      this.#variablesIn(environment),
      ({ scope, file }, server) => (scope === 'editor' ? answersFor(answers.get(file), server) : undefined),
    );
    return { entries, problems: [...found.problems, ...problems] };
  }

  /** Those that an agent's own file describes. */
  async inline(servers: Record<string, unknown>, file: string | undefined): Promise<McpConfiguration> {
    const only = await onlyManagedServers();
    if (only !== undefined) return { entries: [], problems: [only] };
    return inlineServers(servers, file, this.#variablesIn(await this.#options.environment()));
  }

  /** By the file that asks for them. */
  async #answersTo(
    sources: readonly McpConfigSource[],
  ): Promise<Map<string | undefined, Awaited<ReturnType<McpInputs['load']>> | undefined>> {
    return new Map(
      await Promise.all(
        sources.map(
          async ({ scope, file }) =>
            [
              file,
              scope === 'editor' && file !== undefined ? await this.#options.inputs.load(file) : undefined,
            ] as const,
        ),
      ),
    );
  }

  #variablesIn(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
    const [first] = nativeFolders();
    return {
      ...withoutCredentials(this.#options.variables),
      ...environment,
      ...this.#options.rules.environment(),
      ...defined({ CLAUDE_PROJECT_DIR: first }),
    };
  }
}
