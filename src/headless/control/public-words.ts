// Words of the public protocol that several of its messages share.
import { type McpServerState } from '../../core/ports/mcp';

/** The public tool whose messages these are, as programs compare it. */
export const protocolVersion = '2.1.330';

/** How a server stands, in the words of the public documentation. */
export const serverStates: Record<McpServerState['kind'], string> = {
  connected: 'connected',
  connecting: 'pending',
  reconnecting: 'pending',
  unapproved: 'pending',
  'needs-sign-in': 'needs-auth',
  failed: 'failed',
  disabled: 'disabled',
};
