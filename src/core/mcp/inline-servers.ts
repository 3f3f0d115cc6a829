// Servers that an agent's own file describes, read as a file of servers is.
import { defined } from '../../shared/defined';
import { type Path } from '../ports/path';
import { type Variables } from './expand-variables';
import { type McpConfiguration, readMcpConfig } from './read-config';

export function inlineServers(
  servers: Record<string, unknown>,
  file: Path | undefined,
  variables: Variables,
): McpConfiguration {
  return readMcpConfig(
    [
      {
        scope: 'user',
        name: file ?? '--agents',
        ...defined({ file }),
        text: JSON.stringify({ mcpServers: servers }),
        at: ['mcpServers'],
      },
    ],
    variables,
  );
}
