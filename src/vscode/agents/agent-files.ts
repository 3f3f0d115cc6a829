// Where agent files lie for the folders of this window.
import * as vscode from 'vscode';
import { homeFolder } from '../../node/home-folder';
import { type AgentPlace } from '../../core/subagents/agent-places';
import { findAgentPlaces } from '../../node/agent-places';
import { pathOf } from '../host/uri-path';
import { nativeFolders } from '../host/workspace-facts';

export function windowAgentPlaces(): Promise<AgentPlace[]> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return findAgentPlaces({
    folders: nativeFolders(),
    virtualFolders: folders.flatMap(({ uri }) => (uri.scheme === 'file' ? [] : [pathOf(uri)])),
    environment: process.env,
    home: homeFolder(),
  });
}
