// What the plan tools see of the session that they run in.
import { type PermissionMode } from '../../shared/permission';
import { type Path } from '../ports/path';

export interface Planning {
  mode(): PermissionMode;
  /** Where plans are kept. */
  directory(): Path;
}
