import type { severities } from '../../../contract/index.ts'

/** A category that every installation has. */
interface KnownCategory {
  readonly name: string
  readonly displayName: string
  readonly shortName: string
  readonly severity: (typeof severities)[number]
}

function category(
  name: string,
  displayName: string,
  shortName = name,
  severity: KnownCategory['severity'] = 'HIGH',
): KnownCategory {
  return { name, displayName, shortName, severity }
}

/** The categories of tests of APIs. */
export const testCategories: readonly KnownCategory[] = [
  category('BOLA', 'Broken Object Level Authorization (BOLA)'),
  category('NO_AUTH', 'Broken User Authentication (BUA)', 'Broken Authentication'),
  category('BFLA', 'Broken Function Level Authorization (BFLA)'),
  category('IAM', 'Improper Assets Management (IAM)'),
  category('EDE', 'Excessive Data Exposure (EDE)'),
  category('RL', 'Lack of Resources and Rate Limiting (RL)', 'Lack of Resources and Rate Limiting'),
  category('MA', 'Mass Assignment (MA)', 'Mass Assignment'),
  category('INJ', 'Injection (INJ)', 'Injection'),
  category('ILM', 'Insufficient Logging and Monitoring (ILM)'),
  category('SM', 'Security Misconfiguration (SM)', 'Misconfiguration'),
  category('SSRF', 'Server Side Request Forgery (SSRF)'),
  category('UC', 'Uncategorised (UC)', 'Uncategorised'),
  category('UHM', 'Unnecessary HTTP Methods (UHM)', 'Unnecessary HTTP Methods', 'LOW'),
  category('VEM', 'Verbose Error Messages (VEM)', 'Verbose Error Messages', 'LOW'),
  category('MHH', 'Misconfigured HTTP Headers (MHH)', 'Misconfigured HTTP Headers', 'LOW'),
  category('SVD', 'Server Version Disclosure (SVD)', 'Server Version Disclosure', 'LOW'),
  category('CORS', 'Cross-Origin Resource Sharing (CORS)'),
  category('COMMAND_INJECTION', 'Command Injection', 'Command Injection'),
  category('CRLF', 'CRLF Injection', 'CRLF Injection', 'MEDIUM'),
  category('SSTI', 'Server Side Template Injection (SSTI)'),
  category('LFI', 'Local File Inclusion (LFI)'),
  category('XSS', 'Cross-site Scripting (XSS)'),
  category('IIM', 'Improper Inventory Management (IIM)'),
  category('INJECT', 'Injection Attacks (INJECT)', 'Injection Attacks', 'MEDIUM'),
  category('INPUT', 'Input Validation (INPUT)', 'Input Validation', 'MEDIUM'),
]
