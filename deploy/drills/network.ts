/** The network between the machines: a bridge in the namespace of the drills. */
import { sh } from './shell.ts';

const BRIDGE = 'together';
const PREFIX = '10.77.0.';

export const HERE = `${PREFIX}254`;
export const addressOf = (number: number): string => `${PREFIX}${number}`;

const ip = (...args: string[]): Promise<string> => sh('ip', args);

export async function layNetwork(): Promise<void> {
  await ip('link', 'set', 'lo', 'up');
  await ip('link', 'add', BRIDGE, 'type', 'bridge');
  await ip('link', 'set', BRIDGE, 'up');
  await ip('address', 'add', `${HERE}/24`, 'dev', BRIDGE);
}

const wireOf = (number: number): string => `wire${number}`;

/** Connects a machine. `pid`: a process in the network namespace of the machine */
export async function connect(number: number, pid: number): Promise<void> {
  const wire = wireOf(number);
  await ip('link', 'add', wire, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(pid));
  await ip('link', 'set', wire, 'master', BRIDGE, 'up');
  const inside = (...args: string[]) => sh('nsenter', ['--target', String(pid), '--net', 'ip', ...args]);
  await inside('link', 'set', 'lo', 'up');
  await inside('address', 'add', `${addressOf(number)}/24`, 'dev', 'eth0');
  await inside('link', 'set', 'eth0', 'up');
}

interface Wired {
  readonly number: number;
}

/** Drops all traffic without either end noticing: to both, the link looks the same as before. */
export const cutOff = ({ number }: Wired): Promise<string> => ip('link', 'set', wireOf(number), 'nomaster');

export const heal = ({ number }: Wired): Promise<string> => ip('link', 'set', wireOf(number), 'master', BRIDGE);
