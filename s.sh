pwd
run new 60; cp result.json /tmp/st/new.json
