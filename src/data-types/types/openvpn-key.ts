import { dataType, example } from '../data-type.ts'

export default dataType({
  name: 'OPENVPN_KEY',
  summary: 'A static key of OpenVPN, or a client profile with its private key.',
  category: 'SECRET',
  severity: 'CRITICAL',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: {
    length: [60, 65_536],
    starts: ['-----BEGIN OpenVPN', 'client\n', 'client\r\n', '# OpenVPN', '<ca>'],
  },
  verify(value) {
    if (value.startsWith('-----BEGIN OpenVPN')) return value.includes('Static key') ? 99 : 0
    return value.includes('<key>') && /\nremote /.test(value) ? 97 : 0
  },
  cases: [
    {
      value: example(
        '-----BEGIN OpenVPN Stat',
        'ic key V1-----\n6acef03f62675b4b1bbd03e53b187727\n423cea742242106cb2916a8a4c829756',
      ),
      key: 'key',
      expect: true,
      because: 'a static key',
    },
    {
      value: 'client\ndev tun\nremote vpn.shop.test 1194\n<key>\nMIIEvQ\n</key>\n<cert>\nMIID\n</cert>\n',
      key: 'ovpn',
      expect: true,
      because: 'a profile',
    },
    {
      value: 'client\nside rendering explained in twenty steps, with pictures and links',
      key: 'text',
      expect: false,
      because: 'a text',
    },
  ],
})
