import { optionalText, textSetting } from './setting-kinds.ts'

/** A folder is on this machine; a bucket has a name. */
function isPlace({ protocol, hostname }: URL): boolean {
  return protocol === 'file:' ? hostname === '' : protocol === 's3:' && hostname !== ''
}

/** Settings of the archive, in the order of the reference. */
export const archiveSettings = {
  archiveUrl: optionalText({
    accepts: 'file or s3 URL',
    check: (text) =>
      URL.canParse(text) && isPlace(new URL(text))
        ? null
        : 'must be a URL that starts with file:/// or s3://',
    about:
      'Where results, requests, events of threats and entries of the audit log that are too old are written before they are removed: a folder (file:///var/lib/vigil/archive) or a bucket with a prefix (s3://bucket/vigil). Without it they are removed at once. vigil archive lists what is there, reads it and brings it back.',
  }),
  archiveEndpoint: optionalText({
    accepts: 'http or https URL',
    check: (text) =>
      URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
        ? null
        : 'must be a URL that starts with http:// or https://',
    about:
      'Address of an object store with the S3 interface that is not Amazon’s (MinIO, Ceph, Google Cloud Storage); the bucket is part of the path.',
  }),
  archiveRegion: textSetting({
    fallback: 'us-east-1',
    about: 'Region of the bucket of the archive.',
  }),
  archiveAccessKeyId: optionalText({
    accepts: 'text',
    about: 'Access key that may read and write objects of the archive (s3:GetObject, s3:PutObject).',
  }),
  archiveSecretKey: optionalText({
    accepts: 'text',
    isSecret: true,
    about: 'Secret of that access key.',
  }),
}
