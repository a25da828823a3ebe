/** Cases that a new test begins with: one that it must find, one that it must not. */
export const starterCases = `cases:
  - name: another user gets the object
    expect: vulnerable
    sample:
      request: GET /orders/1001
      headers: { authorization: Bearer victim-token }
      response: '{"id":1001,"item":"blue lamp"}'
    attacker: { authorization: Bearer attacker-token }
    endpoint: /orders/INTEGER
    answers:
      - when: { headers: { authorization: victim-token|attacker-token } }
        body: '{"id":1001,"item":"blue lamp"}'
      - when: {}
        status: 401
  - name: another user is refused
    expect: secure
    sample:
      request: GET /orders/1001
      headers: { authorization: Bearer victim-token }
      response: '{"id":1001,"item":"blue lamp"}'
    attacker: { authorization: Bearer attacker-token }
    endpoint: /orders/INTEGER
    answers:
      - when: { headers: { authorization: victim-token } }
        body: '{"id":1001,"item":"blue lamp"}'
      - when: {}
        status: 403
        body: '{"error":"not yours"}'
`
