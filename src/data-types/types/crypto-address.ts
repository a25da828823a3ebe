import { base58CheckVersion, bech32Prefix } from '../checksums.ts'
import { dataType } from '../data-type.ts'
import { keccak256Hex } from '../keccak.ts'
import { ALPHANUMERIC, DIGIT } from '../value-signature.ts'

/** Version bytes of addresses: Bitcoin, Litecoin, Dogecoin, Dash, Tron, and their script forms. */
const VERSIONS = new Set([0, 5, 48, 50, 30, 22, 76, 16, 65])
const SEGWIT_PREFIXES = new Set(['bc', 'tb', 'ltc', 'bcrt', 'addr', 'cosmos'])
const ETHEREUM = /^0x[0-9a-fA-F]{40}$/

/** The letter case of an Ethereum address is its checksum (ERC-55); all small or all capital letters have none. */
function hasRightCase(hex: string): boolean {
  const lower = hex.toLowerCase()
  if (hex === lower || hex === hex.toUpperCase()) return true
  const digest = keccak256Hex(Buffer.from(lower, 'latin1'))
  for (let i = 0; i < hex.length; i++) {
    const isLetter = lower[i]! > '9'
    if (isLetter && digest[i]! >= '8' !== (hex[i] !== lower[i])) return false
  }
  return true
}

export default dataType({
  name: 'CRYPTO_ADDRESS',
  summary: 'An address of a crypto currency: base58check or bech32 checksum, or the form of Ethereum.',
  category: 'FINANCE',
  severity: 'MEDIUM',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [26, 90], chars: ALPHANUMERIC, requires: DIGIT },
  keys: [
    'wallet',
    'wallet address',
    'crypto',
    'bitcoin',
    'btc',
    'btc address',
    'eth',
    'eth address',
    'ethereum',
  ],
  verify(value, context) {
    if (value.startsWith('0x')) {
      if (!ETHEREUM.test(value) || /^0x(.)\1+$/.test(value) || !hasRightCase(value.slice(2))) return 0
      return context.misleading && !context.named ? 40 : 84
    }
    if (/^[13LDXT9M]/.test(value) && value.length <= 36) {
      const version = base58CheckVersion(value)
      if (version !== undefined && VERSIONS.has(version)) return 98
    }
    const separator = value.lastIndexOf('1')
    if (separator < 2 || separator > 6 || !SEGWIT_PREFIXES.has(value.slice(0, separator).toLowerCase()))
      return 0
    return bech32Prefix(value) === undefined ? 0 : 98
  },
  cases: [
    {
      value: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
      key: 'v',
      expect: true,
      because: 'base58check of the first block',
    },
    {
      value: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      key: 'v',
      expect: true,
      because: 'bech32 example of BIP 173',
    },
    {
      value: '0x52908400098527886E0F7030069857D2E4169EE7',
      key: 'wallet',
      expect: true,
      because: 'capital letters only',
    },
    {
      value: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      key: 'v',
      expect: true,
      because: 'the letter case is right (ERC-55)',
    },
    {
      value: '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      key: 'wallet',
      expect: false,
      because: 'the letter case is wrong',
    },
    { value: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb', key: 'wallet', expect: false, because: 'wrong checksum' },
    {
      value: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
      key: 'wallet',
      expect: false,
      because: 'wrong checksum',
    },
    { value: 'da39a3ee5e6b4b0d3255bfef95601890afd80709', key: 'sha1', expect: false, because: 'a hash' },
  ],
})
