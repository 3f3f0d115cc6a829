// Tells the model which built-in tools it can load; those of servers are in the notes about their servers.
import { versionKey } from '../../context/context-source';
import { type FeatureFactory } from '../../feature/session-feature';
import { shortHash } from '../../text/short-hash';

export const toolSearchFeature: FeatureFactory = ({ requests, settings }) => ({
  name: 'tool-search',
  // An agent that is sent nothing but its task does without.
  sources:
    settings.agent?.bare === true
      ? []
      : [
          {
            async present() {
              const tools = await requests.toLoad();
              if (tools.length === 0) return [];
              const list = tools.map(({ name, seldom = '' }) => `- ${name}: ${seldom}`).join('\n');
              const text = `More tools, to be loaded with the tool search before you call them:\n${list}`;
              return [{ key: versionKey('tools-to-load', shortHash(text)), text }];
            },
          },
        ],
  inAgents: () => toolSearchFeature,
});
