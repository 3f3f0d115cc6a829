// What files contribute to the sessions of a window: plugins, memory, skills, output styles, agents.
import * as vscode from 'vscode';
import { homeFolder } from '../../node/home-folder';
import { type Memory } from '../../core/memory/memory';
import { createOutputStyles, type OutputStyles } from '../../core/styles/find-styles';
import { createNodeFileSystem } from '../../node/files/node-file-system';
import { windowAgentPlaces } from '../agents/agent-files';
import { contributedHooks } from '../../core/subagents/contributed-hooks';
import { loadAgents } from '../../core/subagents/load-agents';
import { createWindowMemory } from '../memory/window-memory';
import { createAgreements } from '../session/agreements';
import { createPluginActions } from '../plugins/plugin-actions';
import { type PluginWindow } from '../plugins/show-plugins';
import { createWindowPlugins } from '../plugins/window-plugins';
import { createClaudeFolders, createWindowSkills, hiddenInWindow } from '../skills/window-skills';
import { chosenStyle } from '../styles/chosen-style';
import { type AgentPlace, usablePlaces } from '../../core/subagents/agent-places';
import { pluginOnly } from '../../core/settings/plugin-only';
import { type SessionSkillOptions } from '../../core/skills/skill-options';
import { type WindowPlugins } from '../plugins/window-plugins';
import { nativeFolders } from '../host/workspace-facts';
import { type AgentOptions } from './agent-options';

/** Their hooks and their folders of programs count from now on. */
export function createAgentPlugins({ rules, log, hooks, terminal }: AgentOptions): WindowPlugins {
  const plugins = createWindowPlugins({
    rules,
    home: homeFolder(),
    environment: process.env,
    folders: nativeFolders,
    log,
  });
  hooks.addSource(() => plugins.feed().hooks, plugins.refuses);
  terminal.searchIn(plugins.searched);
  return plugins;
}

/** What plugins can be asked and what can be done with them. */
export function createPluginWindow({ rules, terminal }: AgentOptions, plugins: WindowPlugins): PluginWindow {
  return {
    plugins,
    rules,
    actions: createPluginActions({
      plugins,
      rules,
      trusted: () => vscode.workspace.isTrusted,
      files: createNodeFileSystem(),
      home: homeFolder(),
      environment: terminal.environment,
    }),
  };
}

interface FileContributions {
  readonly memory: Memory;
  readonly skills: SessionSkillOptions;
  readonly styles: OutputStyles;
  readonly agentPlaces: () => Promise<readonly AgentPlace[]>;
}

/** The hooks that agents' and skills' files name can be asked about from now on. */
export function createFileContributions(
  { context, files, rules, hooks }: AgentOptions,
  plugins: WindowPlugins,
): FileContributions {
  const memory = createWindowMemory({ files, rules, agreements: createAgreements(context.globalState) });
  const folders = createClaudeFolders(rules);
  const skills = createWindowSkills({ files, rules, folders, plugins: async () => (await plugins.ready()).skills });
  hooks.setImported(async () =>
    contributedHooks(
      (await loadAgents({ files, places: await windowAgentPlaces(), trusted: true })).agents,
      (await skills.catalogue.list()).skills,
    ),
  );
  const styles = createOutputStyles({
    files,
    folders,
    plugins: async () => (await plugins.ready()).styles,
    trusted: () => vscode.workspace.isTrusted,
    isHidden: hiddenInWindow(rules),
    chosen: () => chosenStyle(rules),
  });
  return {
    memory,
    skills,
    styles,
    agentPlaces: async () =>
      usablePlaces(
        [...(await windowAgentPlaces()), ...(await plugins.ready()).agents],
        pluginOnly(rules.values(), 'agents'),
      ),
  };
}
