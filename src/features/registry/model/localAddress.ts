import { BlockList, isIP } from 'node:net';

type Groups = [number, number, number, number, number, number, number, number];

/** Addresses of version 4 that are of this machine, of private networks, or for special purposes. */
const local = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  local.addSubnet(network, prefix, 'ipv4');
}

/** The addresses of version 6 that are given to networks of the internet; any other is local until it is known. */
const internet = new BlockList();
internet.addSubnet('2000::', 3, 'ipv6');
/** The addresses among these that aren't given to such networks. */
const special = new BlockList();
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
] as const) {
  special.addSubnet(network, prefix, 'ipv6');
}

/**
 * Whether an address isn't one of the internet, but of this machine or its networks, or none at all. One of version 6
 * that stands for an address of version 4, or is a tunnel to it, counts as that.
 */
export function isLocalAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return local.check(address, 'ipv4');
    case 6:
      return isLocalVersion6(address.replace(/%.*$/s, ''));
    default:
      return true;
  }
}

function isLocalVersion6(address: string): boolean {
  const groups = getGroups(address);
  const other = getVersion4Addresses(groups);
  if (other.length > 0) {
    return other.some(isLocalAddress);
  }
  // Also all of NAT64's local range (64:ff9b:1::/48, RFC 8215): only its network knows where the other address stands.
  const isOfInternet = internet.check(address, 'ipv6') && !special.check(address, 'ipv6');
  return !isOfInternet || getTunnels(groups).some(isLocalAddress);
}

/** What an address stands for that is one of version 4 in another notation. */
function getVersion4Addresses([
  first,
  second,
  third,
  fourth,
  fifth,
  sixth,
  ...last
]: Groups): string[] {
  const isZero = third === 0 && fourth === 0 && fifth === 0;
  const isMapped = first === 0 && second === 0 && isZero && sixth === 0xffff;
  const isNat64 = first === 0x64 && second === 0xff9b && isZero && sixth === 0;
  if (isMapped || isNat64) {
    return [version4(...last)];
  }
  // Teredo (RFC 4380): the server, and the client with all bits inverted.
  const isTeredo = first === 0x2001 && second === 0;
  return isTeredo ? [version4(third, fourth), version4(~last[0], ~last[1])] : [];
}

/** The other ends of tunnels: 6to4 (RFC 3056), and ISATAP (RFC 5214) in any network. */
function getTunnels([first, second, third, , fifth, sixth, ...last]: Groups): string[] {
  const isIsatap = (fifth === 0 || fifth === 0x200) && sixth === 0x5efe;
  return [
    ...(first === 0x2002 ? [version4(second, third)] : []),
    ...(isIsatap ? [version4(...last)] : []),
  ];
}

function version4(high: number, low: number): string {
  return [high >> 8, high, low >> 8, low].map((byte) => byte & 0xff).join('.');
}

/** The eight numbers of an address of version 6, whichever way it is written. */
function getGroups(address: string): Groups {
  // In its normal form, which has no part in the notation of version 4.
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === '' ? [] : tail.split(':');
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16)) as Groups;
}
