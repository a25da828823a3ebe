/** What a new test starts from: complete, and easy to change. */
export const starter = `id: MY_FIRST_TEST
info:
  name: Objects of another user can be read
  description: The endpoint gives an object to somebody it does not belong to.
  details: The recorded request is sent with the credentials of the attacker.
  impact: Data of every user can be read.
  category:
    name: BOLA
    shortName: BOLA
    displayName: Broken Object Level Authorization
  subCategory: MY_FIRST_TEST
  severity: HIGH
  tags: [OWASP API1]
  references:
    - https://owasp.org/API-Security/
auth:
  authenticated: true
api_selection_filters:
  response_code:
    gte: 200
    lt: 300
execute:
  type: single
  requests:
    - req:
        - replace_auth_header: true
validate:
  response_code:
    gte: 200
    lt: 300
  response_payload:
    percentage_match:
      gte: 90
`
