import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** A certificate for 127.0.0.1 and its key of P-256, which this process trusts until it is removed. Needs openssl. */
export class OwnCertificate {
  readonly #folder = mkdtempSync(join(tmpdir(), 'rewards-tls-'));
  readonly #trusted = getCACertificates('default');
  readonly keyFile = join(this.#folder, 'key.pem');
  readonly certificateFile = join(this.#folder, 'certificate.pem');

  constructor() {
    const key = [
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-keyout',
      this.keyFile,
    ];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
    execFileSync('openssl', ['req', '-x509', ...key, ...subject, '-out', this.certificateFile], {
      stdio: 'ignore',
    });
    setDefaultCACertificates([...this.#trusted, this.pems.cert]);
  }

  /** As options of a server. */
  get pems(): { key: string; cert: string } {
    return { key: readFileSync(this.keyFile, 'utf8'), cert: readFileSync(this.certificateFile, 'utf8') };
  }

  remove(): void {
    setDefaultCACertificates(this.#trusted);
    rmSync(this.#folder, { recursive: true });
  }
}
