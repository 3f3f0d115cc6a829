// The MCP servers of a window, with what they need of VS Code: consent, files, sign-ins, inputs.
import { homeFolder } from '../../node/home-folder';
import { smallModelOf } from '../../core/model/models';
import { createNodeFileSystem } from '../../node/files/node-file-system';
import { createMcpConsent } from '../mcp/mcp-consent';
import { createMcpFiles } from '../mcp/mcp-files';
import { createMcpInputs } from '../mcp/mcp-inputs';
import { createSignIns } from '../mcp/sign-in';
import { createSignInWindow } from '../mcp/sign-in-window';
import { WindowMcp } from '../mcp/window-mcp';
import { type WindowPlugins } from '../plugins/window-plugins';
import { nativeFolders } from '../host/workspace-facts';
import { variablesNow } from '../session/variables-now';
import { type AgentOptions } from './agent-options';

export function createAgentMcp(
  { context, rules, terminal, models, clock }: AgentOptions,
  plugins: WindowPlugins,
): WindowMcp {
  const { version } = context.extension.packageJSON as { version: string };
  return new WindowMcp({
    rules,
    plugins: {
      servers: async () => (await plugins.ready()).servers,
      refuses: plugins.refuses,
      onDidChange: plugins.onDidChange,
    },
    consent: createMcpConsent(context.globalState, context.workspaceState),
    files: createMcpFiles({
      files: createNodeFileSystem(),
      home: homeFolder(),
      environment: process.env,
      folders: nativeFolders,
      localSettings: () => rules.current().savesTo,
    }),
    signIns: createSignIns({ secrets: context.secrets, window: createSignInWindow(context.extension.id) }),
    inputs: createMcpInputs(context.secrets),
    environment: terminal.environment,
    secrets: () => models.secrets(),
    model: models.client,
    clock,
    smallModel: () => smallModelOf(variablesNow(rules)),
    version,
  });
}
