import fc from "fast-check";

/** A part of every planted secret. No output may contain it. */
export const needle = "Hunter2x";

const letters = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789".split("");
const body = (length: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...letters), { minLength: length, maxLength: length })
    .map((chars) => chars.join(""));
const tail = (length: number): fc.Arbitrary<string> =>
  body(length - needle.length).map((rest) => needle + rest);

/** Return texts with a secret that is recognizable by its form, under any key. */
const forms: readonly ((secret: string) => string)[] = [
  (secret) => `postgres://user:${secret}@host:5432/db`,
  (secret) => `jdbc:postgresql://user:${secret}@host/db`,
  (secret) => `jdbc:mysql://host/db?user=u&password=${secret}`,
  (secret) => `jdbc:mysql://host/db?password=${secret}&user=u`,
  (secret) => `jdbc:sqlserver://host:1433;user=u;password=${secret};encrypt=true`,
  (secret) => `jdbc:oracle:thin:scott/${secret}@host:1521:X`,
  (secret) => `user:${secret}@tcp(host:3306)/db`,
  (secret) => `https://user:${secret}@repo.host/simple,https://other.host/simple`,
  (secret) => `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${secret}==;Suffix=x`,
  (secret) => `https://a.blob.host/c?sv=2022&sig=${secret}%3D&se=1`,
  (secret) => `https://bucket.host/k?X-Amz-Credential=a&X-Amz-Signature=${secret}`,
  (secret) => `https://bucket.host/k?X-Amz-Security-Token=${secret}&x=1`,
  (secret) => `eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.${secret}`,
  (secret) => `ghp_${secret}`,
  (secret) => `github_pat_${secret}`,
  (secret) => `glpat-${secret}`,
  (secret) => `xoxb-${secret}`,
  (secret) => `curl -H 'Authorization: Bearer ${secret}' x`,
  (secret) => `Basic ${secret}`,
  (secret) => `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----`,
  (secret) => `{"type":"service_account","private_key":"${secret}"}`,
  (secret) => `AKIAIOSFODNN7EXAMPLE ${secret}`,
];

/** Generates texts with `needle` inside a secret. Forty characters are enough for each form. */
export const plantedText: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...forms), tail(40))
  .map(([form, secret]) => form(secret));

export const secretNames: fc.Arbitrary<string> = fc.constantFrom(
  ...["DB_PASS", "PGPASSWORD", "MYSQL_PWD", "dbPass", "api_key", "apiKey", "AZURE_SAS", "my.token"],
  ...["private_key", "accountKey", "redis.passwd", "X_SECRET", "ssh_passphrase", "userPwd"],
);

export const secretWord: fc.Arbitrary<string> = tail(20);
