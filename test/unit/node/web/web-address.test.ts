// Which addresses are private: the special blocks, what carries an IPv4 address, and every spelling of one.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isLocalName, isPrivateAddress } from '../../../../src/node/web/web-address';

describe('isPrivateAddress', () => {
  const refused = [
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.0.9',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.7',
    '224.0.0.1',
    '239.1.1.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.1.2.3',
    '::127.0.0.1',
    '::8.8.8.8',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '100::1',
    '64:ff9b::7f00:1',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::8.8.8.8',
    '2002:7f00:1::',
    '2002:a00:1::1',
    '2002:c0a8:101::',
    '2001::1',
    '2001:0:53aa:64c::1',
    '2001:1ff::1',
    '2001:db8::1',
    '3fff::1',
    '3fff:fff::1',
    '5f00::1',
    '4000::1',
    '',
    'localhost',
    '1.2.3',
    '0x7f.1',
    '300.1.1.1',
  ];
  const allowed = [
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '128.0.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '192.0.1.1',
    '192.167.1.1',
    '198.17.0.1',
    '198.20.0.1',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4001::1',
    '2001:4860:4860::8888',
    '2001:200::1',
    '2002:808:808::1',
    '64:ff9b::808:808',
    '::ffff:8.8.8.8',
    '3fff:1000::1',
  ];
  for (const address of refused)
    it(`${address || 'nothing'} is private`, () => assert.equal(isPrivateAddress(address), true));
  for (const address of allowed) it(`${address} is public`, () => assert.equal(isPrivateAddress(address), false));

  it('judges an IPv4 address alike in all that carries it', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        const verdict = isPrivateAddress(address);
        for (const carrier of [`::ffff:${address}`, `::ffff:${hex}`, `64:ff9b::${address}`, `2002:${hex}::1`])
          assert.equal(isPrivateAddress(carrier), verdict, carrier);
      }),
    );
  });

  it('sees through the odd spellings that an address may have, since the URL parser does', () => {
    for (const host of [
      '0x7f.1',
      '2130706433',
      '0177.0.0.1',
      '127.1',
      '0x7f000001',
      '017700000001',
      '127.0.0.1.',
      '①②⑦.⓪.⓪.①',
    ]) {
      assert.equal(isPrivateAddress(new URL(`https://${host}/`).hostname.replace(/\.$/, '')), true, host);
    }
  });
});

describe('isLocalName', () => {
  const names: [string, boolean][] = [
    ['localhost', true],
    ['LOCALHOST.', true],
    ['x.localhost', true],
    ['router', true],
    ['printer.local', true],
    ['db.internal', true],
    ['nas.home.arpa', true],
    ['metadata.google.internal', true],
    ['a.lan.', true],
    ['example.com', false],
    ['local.example.com', false],
    ['localhost.example.com', false],
    ['mylocal.dev', false],
  ];
  for (const [name, local] of names)
    it(`${name} is ${local ? 'local' : 'not local'}`, () => assert.equal(isLocalName(name), local));
});
