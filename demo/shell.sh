# The shell variables of the pages in docs/, of the demo that `npm start` has made. In the folder of the clone: . demo/shell.sh
DEMO=${DATA_DIR:-.data}/demo.json

demo() { # a path in demo.json, such as sandbox.apiKey
  node -p "JSON.parse(fs.readFileSync('$DEMO', 'utf8')).$1"
}

BASE=$(demo baseUrl)
API=$BASE/api/v1
KEY=$(demo sandbox.apiKey)
APPROVER=$(demo sandbox.approverKey) # of another person, who may approve what was asked for with KEY
ENVIRONMENT=$(demo sandbox.environmentId)
DEPLOYMENT=$(demo sandbox.deploymentId)

call() { # sends a request with KEY, and prints the answer and its status
  curl -sS -w '%{http_code}\n' \
    -H "Authorization: Bearer $KEY" -H "X-Environment: $ENVIRONMENT" -H 'Content-Type: application/json' "$@"
}
