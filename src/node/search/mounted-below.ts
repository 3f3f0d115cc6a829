// What is mounted below a folder and is no disk of this machine: a search of `/` must not walk through `/proc`, nor through another machine.
import { readFile } from 'node:fs/promises';
import { type Path } from '../../core/ports/path';

const virtualTypes = [
  ...['autofs', 'binfmt_misc', 'bpf', 'cgroup', 'cgroup2', 'configfs', 'debugfs', 'devpts', 'devtmpfs', 'efivarfs'],
  ...['fusectl', 'hugetlbfs', 'mqueue', 'nsfs', 'proc', 'pstore', 'rpc_pipefs', 'securityfs', 'selinuxfs', 'sysfs'],
  ...['tracefs', 'fuse.gvfsd-fuse', 'fuse.lxcfs', 'fuse.portal'],
];
const networkTypes = [
  ...['afs', 'ceph', 'cifs', 'davfs', 'fuse.glusterfs', 'fuse.rclone', 'fuse.s3fs', 'fuse.sshfs'],
  ...['nfs', 'nfs4', 'smb3'],
];
const left: ReadonlySet<string> = new Set([...virtualTypes, ...networkTypes]);
/** Devices, the disks of others, and a second way to all files. */
const onMac = ['/Network', '/System/Volumes', '/Volumes', '/dev', '/net'];
/** Also where the kernel's list cannot be read. */
const always = ['/dev', '/proc', '/sys'];

/** Absolute paths strictly below the folder, sorted, none inside another. */
export async function mountedBelow(folder: Path, platform: string = process.platform): Promise<Path[]> {
  if (platform === 'darwin') return outermost(onMac, folder);
  if (platform !== 'linux') return [];
  const mounts = await readFile('/proc/self/mounts', 'utf8').catch(() => '');
  return outermost([...always, ...foreignMounts(mounts)], folder);
}

/** The places in the kernel's list of mounts that are no disk of this machine. */
export function foreignMounts(mounts: string): Path[] {
  return mounts.split('\n').flatMap((line) => {
    const [, place, type] = line.split(' ');
    if (place === undefined || type === undefined || !left.has(type)) return [];
    return [place.replace(/\\([0-7]{3})/g, (_code, digits: string) => String.fromCharCode(parseInt(digits, 8)))];
  });
}

function outermost(places: readonly Path[], folder: Path): Path[] {
  const start = folder.endsWith('/') ? folder : `${folder}/`;
  const below = [...new Set(places)].filter((place) => place.startsWith(start) && place !== start).sort();
  return below.filter((place) => !below.some((other) => other !== place && place.startsWith(`${other}/`)));
}
