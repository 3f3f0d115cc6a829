// Tells the model which built-in tools it can load, and when that is no longer so; those of servers are in the notes about their servers.
import { type ContextNote, versionKey } from '../../context/context-source';
import { type FeatureFactory } from '../../feature/session-feature';
import { type SessionRequests } from '../../feature/session-parts';
import { shortHash } from '../../text/short-hash';

export const toolSearchFeature: FeatureFactory = ({ requests, settings }) => ({
  name: 'tool-search',
  // An agent that is sent nothing but its task does without.
  sources:
    settings.agent?.bare === true
      ? []
      : [{ present: () => toolsToLoad(requests), joined: () => toolsToLoad(requests) }],
  inAgents: () => toolSearchFeature,
});

const subject = 'tools-to-load';

async function toolsToLoad(requests: SessionRequests): Promise<ContextNote[]> {
  const tools = await requests.toLoad();
  // Another provider or model may take no deferred tools: they are all in front of the model then.
  if (tools.length === 0)
    return [
      { key: versionKey(subject, 'none'), text: 'All your tools are loaded now: call them directly.', takesBack: true },
    ];
  const list = tools.map(({ name, seldom = '' }) => `- ${name}: ${seldom}`).join('\n');
  const text = `More tools, to be loaded with the tool search before you call them:\n${list}`;
  return [{ key: versionKey(subject, shortHash(text)), text }];
}
